"""The bus in memory: calls the real handlers and encodes every message like the real one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
from portico_contracts.subjects import Consumer, Event, Report, Rpc, decode, encode
from portico_oauth.errors import SERVER_ERROR, UNAVAILABLE, ServiceError
from portico_runtime.bus.headers import crossing_headers
from portico_runtime.bus.nats_bus import HEALTH_NAME, STREAM_HEALTH_NAME
from portico_runtime.bus.stream_consumer import TAKE_SECONDS, BatchWork, Received, Work
from portico_runtime.process.health import Health

AnyRequest = TypeVar("AnyRequest", bound=msgspec.Struct)
AnyReply = TypeVar("AnyReply", bound=msgspec.Struct)
AnyBody = TypeVar("AnyBody", bound=msgspec.Struct)


class MemoryBus:
    """Implements `portico_runtime.bus.bus.Bus`; one instance connects all services of a test."""

    def __init__(self) -> None:
        self._handlers: dict[str, Callable[[Any], Awaitable[Any]]] = {}
        self._listeners: dict[str, list[Callable[[Any], Awaitable[None]]]] = {}
        self.called: list[str] = []
        """Subject of every request, in order."""
        self.published: list[tuple[str, Any]] = []
        """Subject and body of every event, in order."""
        self.reported: list[tuple[str, Any]] = []
        """Subject and body of every report, in order."""
        self.down = False
        """When true, everything is `unavailable`."""
        self.silent: set[str] = set()
        """Subjects without a responder at present."""
        self.stream_down = False
        """When true, no event can be published."""
        self._taken: dict[str, int] = {}
        """Number of published events that each consumer has processed."""
        self._news = asyncio.Event()

    def respond(self, rpc: Rpc[AnyRequest, AnyReply], handler: Callable[[AnyRequest], Awaitable[AnyReply]]) -> None:
        self._handlers[rpc.subject] = handler

    def subscribe(self, event: Event[AnyBody], handler: Callable[[AnyBody], Awaitable[None]]) -> None:
        self._listeners.setdefault(event.subject, []).append(handler)

    async def call(
        self, rpc: Rpc[AnyRequest, AnyReply], message: AnyRequest, *, seconds: float | None = None
    ) -> AnyReply:
        self.called.append(rpc.subject)
        handler = self._handlers.get(rpc.subject)
        if self.down or handler is None or rpc.subject in self.silent:
            raise UNAVAILABLE.error(retry_after=1, part=rpc.owner)
        await asyncio.sleep(0)  # as on the real bus, requests that are sent together overlap
        try:
            reply = await handler(decode(encode(message), rpc.request))
        except ServiceError as error:
            # The real bus transports kind, id and text, and of the private fields only those of the diagnostics.
            raise ServiceError(
                error.kind, error.id, error.text, retry_after=error.retry_after, private=crossing_headers(error)
            ) from None
        except Exception as error:
            raise SERVER_ERROR.error() from error
        return decode(encode(reply), rpc.reply)

    async def send(self, report: Report[AnyBody], body: AnyBody) -> None:
        if self.down:
            raise UNAVAILABLE.error(retry_after=1, part="bus")
        self.reported.append((report.subject, body))
        if (handler := self._handlers.get(report.subject)) and report.subject not in self.silent:
            await handler(decode(encode(body), report.body))

    def receive(self, report: Report[AnyBody], handler: Callable[[AnyBody], Awaitable[None]]) -> None:
        self._handlers[report.subject] = handler

    async def publish(self, event: Event[AnyBody], body: AnyBody, *, event_id: str) -> None:
        if self.down or self.stream_down:
            raise UNAVAILABLE.error(retry_after=1, part="bus")
        self.published.append((event.subject, body))
        self._news.set()
        for listener in self._listeners.get(event.subject, []):
            await listener(decode(encode(body), event.body))

    async def consume(self, consumer: Consumer, work: Work, *, seconds: float = TAKE_SECONDS) -> bool:
        if self.down or self.stream_down:
            raise UNAVAILABLE.error(retry_after=1, part="bus")
        if await self._take_next(consumer, work):
            return True
        if seconds:
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._news.wait()
        return await self._take_next(consumer, work)

    async def consume_batch(self, consumer: Consumer, work: BatchWork, *, seconds: float = TAKE_SECONDS) -> bool:
        received: list[Received] = []

        async def collect(event: Event[Any], body: Any) -> None:
            received.append((event, body))

        while len(received) < consumer.batch and await self.consume(consumer, collect, seconds=0):
            pass
        if received:
            await work(received)
        elif seconds:
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._news.wait()
        return bool(received)

    async def _take_next(self, consumer: Consumer, work: Work) -> bool:
        events = {event.subject: event for event in consumer.events}
        for number in range(self._taken.get(consumer.name, 0), len(self.published)):
            subject, body = self.published[number]
            if event := events.get(subject):
                await work(event, decode(encode(body), event.body))
            self._taken[consumer.name] = number + 1
            if event:
                return True
        return False

    def degradation(self) -> str:
        return "no event could be published" if self.stream_down else ""

    def watch(self, health: Health) -> None:
        health.add(HEALTH_NAME, self.check)
        health.add_degradation(STREAM_HEALTH_NAME, self.degradation)

    async def check(self) -> None:
        if self.down:
            raise ConnectionError

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        pass
