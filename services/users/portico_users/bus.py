"""The bus without its publishing side, which only the relay may use (enforced by an import contract)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
from portico_contracts.subjects import Consumer, Event, Report, Rpc

AnyRequest = TypeVar("AnyRequest", bound=msgspec.Struct)
AnyBody = TypeVar("AnyBody", bound=msgspec.Struct)
AnyReply = TypeVar("AnyReply", bound=msgspec.Struct)


class Bus(Protocol):
    """The bus (`portico_runtime.bus.bus.Bus`); publish events through the journal or `Journal.publish`."""

    async def call(
        self, rpc: Rpc[AnyRequest, AnyReply], message: AnyRequest, *, seconds: float | None = None
    ) -> AnyReply:
        """Raises the `ServiceError` of the other service, or `unavailable`."""
        ...

    def respond(self, rpc: Rpc[AnyRequest, AnyReply], handler: Callable[[AnyRequest], Awaitable[AnyReply]]) -> None:
        """Call before the bus is started."""
        ...

    def receive(self, report: Report[AnyBody], handler: Callable[[AnyBody], Awaitable[None]]) -> None: ...

    async def consume(self, consumer: Consumer, work: Callable[[Event[Any], Any], Awaitable[None]]) -> bool:
        """Consumes the next event, at least once; reports whether there was one."""
        ...

    async def consume_batch(
        self, consumer: Consumer, work: Callable[[Sequence[tuple[Event[Any], Any]]], Awaitable[None]], *, seconds: float
    ) -> bool:
        """Consumes the events that wait, each at least once; reports whether there were any."""
        ...
