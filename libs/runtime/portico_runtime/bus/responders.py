"""Request handlers of a replica: a member of its service's queue group while it is ready.

A replica that lost a store would receive as many requests as the others, and each would fail. It leaves the
queue group, so that NATS routes requests to the others, and joins again once it is ready (decision 0080).
Where no replica is ready, callers use a second subject that every replica receives: requests that need no
store still succeed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import nats.errors
import nats.micro
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.micro.request import Request
from nats.micro.service import Service
from portico_contracts.subjects import UNREADY, Rpc
from portico_oauth.errors import UNAVAILABLE

from portico_runtime.bus.handlers import take_no_more
from portico_runtime.bus.headers import CALL_SECONDS, respond_error, work_on
from portico_runtime.bus.nats_client import NatsClient
from portico_runtime.process.ending import end
from portico_runtime.process.health import noting_failures
from portico_runtime.process.wakeup import Wakeup

MAX_AT_WORK: Final = 512
"""Concurrent requests per replica; more are rejected at once rather than queued."""

LOOK_SECONDS: Final = 2.0
UNREADY_LOOK_SECONDS: Final = 0.5
BEGINNING_LOOK_SECONDS: Final = 0.1
"""Until this replica receives requests for the first time, so that it is ready soon."""

FAILING_LOOK_SECONDS: Final = 0.2
"""Minimum interval of looks while requests fail."""

Ready = Callable[[], Awaitable[bool]]
Handler = Callable[[Any], Awaitable[Any]]

log = structlog.get_logger("portico.bus")


class Responders:
    """The handlers of one service in one replica; `user` names the service and the queue group."""

    def __init__(self, client: NatsClient, user: str) -> None:
        self._client = client
        self._user = user
        self._handlers: dict[str, tuple[Rpc[Any, Any], Handler]] = {}
        self._ready: Ready | None = None
        self._service: Service | None = None
        self._has_joined = False
        self._unready: Subscription | None = None
        self._at_work: set[asyncio.Task[None]] = set()
        self._following: asyncio.Task[None] | None = None
        self._changing = asyncio.Lock()

    @property
    def has_begun(self) -> bool:
        """Reports whether this replica has joined the queue group since its start, or has no requests to receive."""
        return self._has_joined or not self._handlers

    def add(self, rpc: Rpc[Any, Any], handler: Handler) -> None:
        self._handlers[rpc.subject] = (rpc, handler)

    def follow(self, ready: Ready) -> None:
        """Leaves the queue group while this replica is not ready. Call before `start`."""
        self._ready = ready

    async def start(self) -> None:
        """Subscribes; requests may arrive before this returns."""
        if not self._handlers:
            return
        self._unready = await self._client.subscribe(
            f"{UNREADY}{self._user}.>", queue=self._user, cb=self._receive_unready
        )
        if self._ready is None or await self._ready():
            await self._join()
            self._has_joined = True
        if self._ready:
            self._following = asyncio.create_task(self._follow(self._ready), name="readiness on the bus")

    async def close(self) -> None:
        """Accepts no more requests, and finishes those in progress within a caller's timeout."""
        async with self._changing:
            if self._following:
                await end(self._following)
            if self._client.is_connected:
                await take_no_more(self._client, [*self._membership(), *([self._unready] if self._unready else [])])
        if self._at_work:
            _, left = await asyncio.wait(self._at_work, timeout=CALL_SECONDS)
            # Answered as unavailable: the requester may wait much longer than this replica lives.
            await asyncio.gather(*map(end, left))

    async def _follow(self, ready: Ready) -> None:
        wakeup = Wakeup()
        with noting_failures(wakeup.set):
            while True:
                failing = bool(self._service) and await wakeup.wait(LOOK_SECONDS)
                if not self._service:
                    await asyncio.sleep(UNREADY_LOOK_SECONDS if self._has_joined else BEGINNING_LOOK_SECONDS)
                await self._look(ready)
                if failing:
                    await asyncio.sleep(FAILING_LOOK_SECONDS)

    async def _look(self, ready: Ready) -> None:
        is_ready = await ready()
        async with self._changing:
            if self._client.is_connected and is_ready is not bool(self._service):
                log.warning(
                    "replica accepts requests again"
                    if is_ready
                    else "replica not ready, receives requests only if no other is ready"
                )
                await (self._join_again() if is_ready else self._leave())

    async def _join_again(self) -> None:
        try:
            await self._join()
            await self._client.flush()  # NATS has the subscriptions then
            self._has_joined = True
        except (nats.errors.Error, TimeoutError, OSError) as error:
            log.warning("not all subscriptions active", cause=type(error).__name__)
            await self._leave()

    async def _join(self) -> None:
        self._service = await nats.micro.add_service(
            self._client, name=f"portico-{self._user}", version="1.0.0", queue_group=self._user
        )
        for subject, (rpc, handler) in self._handlers.items():
            await self._service.add_endpoint(
                name=subject.replace(".", "-"), subject=subject, handler=self._responder(rpc, handler)
            )

    async def _leave(self) -> None:
        await take_no_more(self._client, self._membership())
        self._service = None

    def _membership(self) -> list[Subscription]:
        if self._service is None:
            return []
        requests = [endpoint._subscription for endpoint in self._service._endpoints]  # noqa: SLF001
        return [*filter(None, requests), *self._service._subscriptions.values()]  # noqa: SLF001

    async def _receive_unready(self, message: Msg) -> None:
        request = Request(message)
        found = self._handlers.get(message.subject.removeprefix(UNREADY))
        if found is None:  # of another release
            await respond_error(request, UNAVAILABLE.error(retry_after=1, part=self._user))
            return
        await self._responder(*found)(request)

    def _responder(self, rpc: Rpc[Any, Any], handler: Handler) -> Callable[[Request], Awaitable[None]]:
        async def respond(request: Request) -> None:
            if len(self._at_work) >= MAX_AT_WORK:
                await respond_error(request, UNAVAILABLE.error(retry_after=1, part="busy"))
                return
            # NATS delivers messages one after the other; a task for each lets requests run concurrently.
            task = asyncio.create_task(work_on(rpc, handler, request))
            self._at_work.add(task)
            task.add_done_callback(self._at_work.discard)

        return respond
