"""The bus: typed requests and events over NATS.

Responders are NATS micro services in a queue group, so replicas share the work. Errors cross as kind, id and public text and are
raised again on the other side. Request id, trace parent and the requester's deadline travel in headers.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol, TypeVar

import msgspec
import nats.errors
import structlog
from nats.aio.msg import Msg
from portico_contracts.catalogue import creates_stream
from portico_contracts.spans import SpanKind, part
from portico_contracts.subjects import Consumer, Event, Report, Rpc, decode, encode
from portico_oauth.errors import UNAVAILABLE

from portico_runtime.bus_handlers import handler_of
from portico_runtime.bus_headers import CALL_SECONDS, TIMEOUT_MS, bus_attributes, context_headers, raise_error
from portico_runtime.event_stream import EventStream
from portico_runtime.health import Health, NotReady
from portico_runtime.long_requests import LongRequests
from portico_runtime.nats_client import NatsClient
from portico_runtime.publishing import Publishing
from portico_runtime.responders import Responders
from portico_runtime.settings import DEGRADED_SECONDS, BusSection
from portico_runtime.stream_consumer import TAKE_SECONDS, StreamConsumer, Work

HEALTH_NAME: Final = "bus"
STREAM_HEALTH_NAME: Final = "stream"

AnyRequest = TypeVar("AnyRequest", bound=msgspec.Struct)
AnyReply = TypeVar("AnyReply", bound=msgspec.Struct)
AnyBody = TypeVar("AnyBody", bound=msgspec.Struct)

log = structlog.get_logger("portico.bus")


class Bus(Protocol):
    """What services need of a bus; `portico_fakes` has one in memory."""

    async def call(
        self, rpc: Rpc[AnyRequest, AnyReply], message: AnyRequest, *, seconds: float | None = None
    ) -> AnyReply:
        """Asks and waits for the answer.

        Args:
            seconds: how long; None for the time of the entry.

        Raises:
            ServiceError: the one the owner raised, or `unavailable` when no service answers in time.
        """
        ...

    def respond(self, rpc: Rpc[AnyRequest, AnyReply], handler: Callable[[AnyRequest], Awaitable[AnyReply]]) -> None:
        """Answers requests as soon as the bus is connected. Call before `start`."""
        ...

    def subscribe(self, event: Event[AnyBody], handler: Callable[[AnyBody], Awaitable[None]]) -> None:
        """Subscribes every replica to an event, as a hint that may be missed. Call before `start`."""
        ...

    async def send(self, report: Report[AnyBody], body: AnyBody) -> None:
        """Sends a report and waits for nothing: it is lost where no replica of its owner listens.

        Raises:
            ServiceError: `unavailable` when the bus is not connected.
        """
        ...

    def receive(self, report: Report[AnyBody], handler: Callable[[AnyBody], Awaitable[None]]) -> None:
        """Receives reports, each in one replica. Call before `start`."""
        ...

    async def publish(self, event: Event[AnyBody], body: AnyBody, *, event_id: str) -> None:
        """Stores an event on the stream; returns once it is acknowledged.

        Raises:
            ServiceError: `unavailable` when it was not.
        """
        ...

    async def consume(self, consumer: Consumer, work: Work, *, seconds: float = TAKE_SECONDS) -> bool:
        """Works on the next event of a consumer, and waits for one a while: at least once, and one after the other.

        Until the work on an event is done, the next one is delivered to no replica, so that they stay in order.

        Returns:
            whether there was an event.

        Raises:
            ServiceError: `unavailable` when the stream cannot be asked; otherwise what ``work`` raises, and the event
                is delivered again.
        """
        ...

    def watch(self, health: Health) -> None:
        """Adds the bus to the readiness of a replica, which is asked while everything else of it is ready. Call before `start`."""
        ...

    async def check(self) -> None:
        """Returns when connected, and asked from now on what it answers.

        Raises:
            NotReady: TLS is refused, with the reason.
            ConnectionError: for every other reason.
        """
        ...

    def degradation(self) -> str:
        """Why events cannot be published although the bus is connected; empty while they can.

        Requests are answered all the same, so a replica in this state stays in rotation.
        """
        ...

    async def start(self) -> None:
        """Begins to connect, and goes on trying in the background."""
        ...

    async def close(self) -> None:
        """Finishes what is under way and disconnects."""
        ...


class NatsBus:
    """The bus over NATS, logged in as one service's own user."""

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
        """Connects to nothing yet.

        Args:
            degraded_seconds: publishing that fails for so long is reported by `degradation`.
            ca_file: of the certificates to trust with ``tls://``; empty for the system's.

        Raises:
            InvalidSetting: address and file do not fit, or the file cannot be used.
        """
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
        """The bus of a service's settings."""
        url, password = settings.bus_url, settings.bus_password.get_secret_value()
        degraded, replicas, ca_file = settings.bus_degraded_seconds, settings.bus_stream_replicas, settings.bus_ca_file
        return cls(url, user, password, degraded_seconds=degraded, stream_replicas=replicas, ca_file=ca_file)

    def respond(self, rpc: Rpc[AnyRequest, AnyReply], handler: Callable[[AnyRequest], Awaitable[AnyReply]]) -> None:
        """See `Bus.respond`."""
        self._responders.add(rpc, handler)

    def subscribe(self, event: Event[AnyBody], handler: Callable[[AnyBody], Awaitable[None]]) -> None:
        """See `Bus.subscribe`."""
        self._listeners.append((event, handler))

    def receive(self, report: Report[AnyBody], handler: Callable[[AnyBody], Awaitable[None]]) -> None:
        """See `Bus.receive`."""
        self._reports.append((report, handler))

    def watch(self, health: Health) -> None:
        """See `Bus.watch`."""
        health.add(HEALTH_NAME, self.check)
        health.add_degradation(STREAM_HEALTH_NAME, self.degradation)
        self._responders.follow(lambda: health.is_ready_but_for(HEALTH_NAME))

    async def start(self) -> None:
        """See `Bus.start`."""
        self._connecting = asyncio.create_task(self._connect())

    async def check(self) -> None:
        """See `Bus.check`."""
        if not (self._is_asked and await self._client.answers()):
            raise NotReady(self._client.refusal) if self._client.refusal else ConnectionError

    async def close(self) -> None:
        """See `Bus.close`."""
        await self._stop_beginning()
        await self._responders.close()
        if self._client.is_connected:
            await self._client.flush()
        if self._client.is_connected or self._client.is_connecting or self._client.is_reconnecting:
            await self._client.close()

    async def call(
        self, rpc: Rpc[AnyRequest, AnyReply], message: AnyRequest, *, seconds: float | None = None
    ) -> AnyReply:
        """See `Bus.call`."""
        seconds = rpc.seconds if seconds is None else seconds
        if not self._client.is_connected:
            raise UNAVAILABLE.error(retry_after=1, part="bus")
        with part(rpc.subject, bus_attributes(rpc.subject)):
            headers = {**context_headers(), TIMEOUT_MS: str(int(seconds * 1000))}
            asked = self._ask(rpc, encode(message), seconds, headers)
            try:
                reply = await (asked if seconds <= CALL_SECONDS else self._long_requests.run(asked))
            except (nats.errors.Error, TimeoutError, OSError) as error:
                raise UNAVAILABLE.error(retry_after=1, part=rpc.owner, cause=type(error).__name__) from error
            raise_error(reply)
            return decode(reply.data, rpc.reply)

    async def _ask(self, rpc: Rpc[Any, Any], data: bytes, seconds: float, headers: dict[str, str]) -> Msg:
        """Asks a ready replica of the owner, and where there is none any other one."""
        try:
            return await self._client.request(rpc.subject, data, timeout=seconds, headers=headers)
        except nats.errors.NoRespondersError:
            return await self._client.request(rpc.unready_subject, data, timeout=seconds, headers=headers)

    async def send(self, report: Report[AnyBody], body: AnyBody) -> None:
        """See `Bus.send`."""
        if not self._client.is_connected:
            raise UNAVAILABLE.error(retry_after=1, part="bus")
        try:
            await self._client.publish(report.subject, encode(body))
        except (nats.errors.Error, TimeoutError, OSError) as error:
            raise UNAVAILABLE.error(retry_after=1, part="bus", cause=type(error).__name__) from error

    def degradation(self) -> str:
        """See `Bus.degradation`."""
        return self._publishing.degradation() if self._client.is_connected else ""

    async def publish(self, event: Event[AnyBody], body: AnyBody, *, event_id: str) -> None:
        """See `Bus.publish`."""
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
        """See `Bus.consume`."""
        if not self._client.is_connected:
            raise UNAVAILABLE.error(retry_after=1, part="bus")
        taken = self._consumers.setdefault(consumer.name, StreamConsumer(self._client, self._stream, consumer))
        return await taken.take(work, seconds)

    async def _stop_beginning(self) -> None:
        if self._connecting is None:
            return
        if self._client.is_connected:
            # Requests may come from the first subscription on; one cut off half made would lose them.
            await asyncio.wait([self._connecting], timeout=CALL_SECONDS)
        self._connecting.cancel()
        await asyncio.gather(self._connecting, return_exceptions=True)

    async def _connect(self) -> None:
        await self._client.connect_somehow(self._leave_connection)
        await self._subscribe()

    async def _leave_connection(self) -> None:
        """A failure over a connection that is lost means nothing for the next one, and no answer comes over it."""
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
        """Returns once the server knows whom to ask, so that another replica may end (FD-12)."""
        try:
            # The library's request overtakes what it has not written yet: the second one comes after all of it.
            await self._client.flush()
            await self._client.flush()
        except (nats.errors.Error, TimeoutError, OSError) as error:  # the client subscribes again when it reconnects
            log.warning("bus not reachable, retrying", cause=type(error).__name__)
