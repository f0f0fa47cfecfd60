"""Typed requests and events over NATS.

Responders are NATS micro services in a queue group, so that replicas share the load. Errors are sent as kind,
id and public text and raised again by the caller. Request id, trace parent and deadline travel in headers.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import nats.errors
import structlog
from nats.aio.msg import Msg
from portico_contracts.catalogue import creates_stream
from portico_contracts.spans import SpanKind, part
from portico_contracts.subjects import Consumer, Event, Report, Rpc, decode, encode
from portico_oauth.errors import UNAVAILABLE

from portico_runtime.bus.bus import AnyBody, AnyReply, AnyRequest
from portico_runtime.bus.event_stream import EventStream
from portico_runtime.bus.handlers import handler_of
from portico_runtime.bus.headers import CALL_SECONDS, TIMEOUT_MS, bus_attributes, context_headers, raise_error
from portico_runtime.bus.long_requests import LongRequests
from portico_runtime.bus.nats_client import NatsClient
from portico_runtime.bus.publishing import Publishing
from portico_runtime.bus.responders import Responders
from portico_runtime.bus.stream_consumer import TAKE_SECONDS, BatchWork, StreamConsumer, Work
from portico_runtime.process.ending import end
from portico_runtime.process.health import Health, NotReady, note_failure
from portico_runtime.settings.sections.bus import DEGRADED_SECONDS, BusSection

HEALTH_NAME: Final = "bus"
STREAM_HEALTH_NAME: Final = "stream"

log = structlog.get_logger("portico.bus")


class NatsBus:
    def __init__(
        self,
        url: str,
        user: str,
        password: str,
        *,
        degraded_seconds: float = DEGRADED_SECONDS,
        stream_replicas: int = 1,
        ca_file: str = "",
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Publishing failures of `degraded_seconds` are reported by `degradation`."""
        self._user = user
        self._client = NatsClient(url, user, password, ca_file)
        self._stream = EventStream(self._client, may_create=creates_stream(user), replicas=stream_replicas)
        self._publishing = Publishing(degraded_seconds, monotonic)
        self._responders = Responders(self._client, user)
        self._listeners: list[tuple[Event[Any], Callable[[Any], Awaitable[None]]]] = []
        self._reports: list[tuple[Report[Any], Callable[[Any], Awaitable[None]]]] = []
        self._connecting: asyncio.Task[None] | None = None
        self._is_asked = False
        self._consumers: dict[str, StreamConsumer] = {}
        self._long_requests = LongRequests()

    @classmethod
    def of(cls, settings: BusSection, user: str) -> NatsBus:
        url, password = settings.bus_url, settings.bus_password.get_secret_value()
        degraded, replicas, ca_file = settings.bus_degraded_seconds, settings.bus_stream_replicas, settings.bus_ca_file
        return cls(url, user, password, degraded_seconds=degraded, stream_replicas=replicas, ca_file=ca_file)

    def respond(self, rpc: Rpc[AnyRequest, AnyReply], handler: Callable[[AnyRequest], Awaitable[AnyReply]]) -> None:
        self._responders.add(rpc, handler)

    def subscribe(self, event: Event[AnyBody], handler: Callable[[AnyBody], Awaitable[None]]) -> None:
        self._listeners.append((event, handler))

    def receive(self, report: Report[AnyBody], handler: Callable[[AnyBody], Awaitable[None]]) -> None:
        self._reports.append((report, handler))

    def watch(self, health: Health) -> None:
        health.add(HEALTH_NAME, self._check_receiving)
        health.add_degradation(STREAM_HEALTH_NAME, self.degradation)
        self._responders.follow(lambda: health.is_ready_but_for(HEALTH_NAME))

    async def start(self) -> None:
        self._connecting = asyncio.create_task(self._connect())

    async def check(self) -> None:
        if not (self._is_asked and await self._client.answers()):
            raise NotReady(self._client.refusal) if self._client.refusal else ConnectionError

    async def _check_receiving(self) -> None:
        """Also raises until requests arrive: a rolling upgrade ends the other replica when this one is ready."""
        await self.check()
        if not self._responders.has_begun:
            raise NotReady("requests are accepted when all other checks are ok")

    async def close(self) -> None:
        await self._stop_beginning()
        await self._responders.close()
        if self._client.is_connected:
            await self._client.flush()
        if self._client.is_connected or self._client.is_connecting or self._client.is_reconnecting:
            await self._client.close()

    async def call(
        self, rpc: Rpc[AnyRequest, AnyReply], message: AnyRequest, *, seconds: float | None = None
    ) -> AnyReply:
        seconds = rpc.seconds if seconds is None else seconds
        if not self._client.is_connected:
            raise UNAVAILABLE.error(retry_after=1, part="bus")
        with part(rpc.subject, bus_attributes(rpc.subject)):
            headers = context_headers()
            if seconds != CALL_SECONDS:  # which is assumed without the header
                headers[TIMEOUT_MS] = str(int(seconds * 1000))
            asked = self._ask(rpc, encode(message), seconds, headers)
            try:
                reply = await (asked if seconds <= CALL_SECONDS else self._long_requests.run(asked))
            except (nats.errors.Error, TimeoutError, OSError) as error:
                raise UNAVAILABLE.error(retry_after=1, part=rpc.owner, cause=type(error).__name__) from error
            raise_error(reply)
            return decode(reply.data, rpc.reply)

    async def _ask(self, rpc: Rpc[Any, Any], data: bytes, seconds: float, headers: dict[str, str]) -> Msg:
        try:
            return await self._client.request(rpc.subject, data, timeout=seconds, headers=headers)
        except nats.errors.NoRespondersError:
            return await self._client.request(rpc.unready_subject, data, timeout=seconds, headers=headers)

    async def send(self, report: Report[AnyBody], body: AnyBody) -> None:
        if not self._client.is_connected:
            raise UNAVAILABLE.error(retry_after=1, part="bus")
        try:
            await self._client.publish(report.subject, encode(body))
        except (nats.errors.Error, TimeoutError, OSError) as error:
            raise UNAVAILABLE.error(retry_after=1, part="bus", cause=type(error).__name__) from error

    def degradation(self) -> str:
        return self._publishing.degradation() if self._client.is_connected else ""

    async def publish(self, event: Event[AnyBody], body: AnyBody, *, event_id: str) -> None:
        if not self._client.is_connected:
            raise UNAVAILABLE.error(retry_after=1, part="bus")
        try:
            with part(event.subject, bus_attributes(event.subject), kind=SpanKind.PRODUCER):
                headers = {**context_headers(), "Nats-Msg-Id": event_id}
                await self._stream.publish(event.subject, encode(body), headers)
        except (nats.errors.Error, TimeoutError, OSError) as error:
            self._publishing.failed(error)
            raise UNAVAILABLE.error(retry_after=1, part="stream", cause=type(error).__name__) from error
        self._publishing.reset()

    async def consume(self, consumer: Consumer, work: Work, *, seconds: float = TAKE_SECONDS) -> bool:
        if not self._client.is_connected:
            raise UNAVAILABLE.error(retry_after=1, part="bus")
        return await self._consumer(consumer).take(work, seconds)

    async def consume_batch(self, consumer: Consumer, work: BatchWork, *, seconds: float = TAKE_SECONDS) -> bool:
        if not self._client.is_connected:
            raise UNAVAILABLE.error(retry_after=1, part="bus")
        return await self._consumer(consumer).take_batch(work, seconds)

    def _consumer(self, consumer: Consumer) -> StreamConsumer:
        return self._consumers.setdefault(consumer.name, StreamConsumer(self._client, self._stream, consumer))

    async def _stop_beginning(self) -> None:
        if self._connecting is None:
            return
        if self._client.is_connected:
            # Requests may arrive from the first subscription on; cancelling a half-finished connection would lose
            # them.
            await asyncio.wait([self._connecting], timeout=CALL_SECONDS)
        await end(self._connecting)

    async def _connect(self) -> None:
        await self._client.connect_somehow(self._leave_connection)
        await self._subscribe()

    async def _leave_connection(self) -> None:
        note_failure()
        self._publishing.reset()
        self._long_requests.end()

    async def _subscribe(self) -> None:
        await self._responders.start()
        for event, listener in self._listeners:
            await self._client.subscribe(event.subject, cb=handler_of(event, listener))
        for report, receiver in self._reports:
            await self._client.subscribe(report.subject, queue=self._user, cb=handler_of(report, receiver))
        await self._confirm()
        self._is_asked = True

    async def _confirm(self) -> None:
        """Returns once the server has registered the subscriptions, so that another replica may stop (FD-12)."""
        try:
            # The library's request overtakes unwritten data; the second flush follows all of it.
            await self._client.flush()
            await self._client.flush()
        except (nats.errors.Error, TimeoutError, OSError) as error:  # the client subscribes again when it reconnects
            log.warning("bus not reachable, retrying", cause=type(error).__name__)
