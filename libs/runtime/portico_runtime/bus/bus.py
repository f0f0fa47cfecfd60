from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

import msgspec
from portico_contracts.subjects import Consumer, Event, Report, Rpc

from portico_runtime.bus.stream_consumer import TAKE_SECONDS, BatchWork, Work
from portico_runtime.process.health import Health

AnyRequest = TypeVar("AnyRequest", bound=msgspec.Struct)
AnyReply = TypeVar("AnyReply", bound=msgspec.Struct)
AnyBody = TypeVar("AnyBody", bound=msgspec.Struct)


class Bus(Protocol):
    async def call(
        self, rpc: Rpc[AnyRequest, AnyReply], message: AnyRequest, *, seconds: float | None = None
    ) -> AnyReply:
        """Raises the error of the owner, or `unavailable` when no service replies in time."""
        ...

    def respond(self, rpc: Rpc[AnyRequest, AnyReply], handler: Callable[[AnyRequest], Awaitable[AnyReply]]) -> None: ...

    def subscribe(self, event: Event[AnyBody], handler: Callable[[AnyBody], Awaitable[None]]) -> None:
        """Subscribes every replica to an event, as a hint that may be missed. Call before `start`."""
        ...

    async def send(self, report: Report[AnyBody], body: AnyBody) -> None:
        """Sends a report without waiting: it is lost where no replica of its owner listens."""
        ...

    def receive(self, report: Report[AnyBody], handler: Callable[[AnyBody], Awaitable[None]]) -> None: ...

    async def publish(self, event: Event[AnyBody], body: AnyBody, *, event_id: str) -> None:
        """Publishes an event to the stream; returns after the acknowledgement."""
        ...

    async def consume(self, consumer: Consumer, work: Work, *, seconds: float = TAKE_SECONDS) -> bool:
        """Waits for the next event of a consumer and processes it: at least once, in order.

        The next event is not delivered to any replica until the work on this one is done; an event whose
        ``work`` raised is redelivered. Returns whether there was an event.
        """
        ...

    async def consume_batch(self, consumer: Consumer, work: BatchWork, *, seconds: float = TAKE_SECONDS) -> bool:
        """Like `consume`, for all events that wait, up to the batch of the consumer."""
        ...

    def watch(self, health: Health) -> None:
        """Requests arrive only while all other checks of the replica pass. Call before `start`."""
        ...

    async def check(self) -> None:
        """Raises NotReady for failed TLS, with the reason, and ConnectionError for any other."""
        ...

    def degradation(self) -> str:
        """Why events cannot be published although connected; requests are still answered, so it stays ready."""
        ...

    async def start(self) -> None: ...

    async def close(self) -> None: ...
