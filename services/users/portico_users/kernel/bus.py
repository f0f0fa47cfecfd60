"""The bus as everything but the relay sees it: it has no publishing side, which an import contract holds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

import msgspec
from portico_contracts.subjects import Consumer, Event, Report, Rpc

AnyRequest = TypeVar("AnyRequest", bound=msgspec.Struct)
AnyBody = TypeVar("AnyBody", bound=msgspec.Struct)
AnyReply = TypeVar("AnyReply", bound=msgspec.Struct)


class Bus(Protocol):
    """Requests, replies and durable consumers; `portico_runtime.bus.Bus` documents each.

    An event is published by the journal: for a change of a record, and for everything else with `Journal.publish`.
    """

    async def call(
        self, rpc: Rpc[AnyRequest, AnyReply], message: AnyRequest, *, seconds: float | None = None
    ) -> AnyReply:
        """Requests a reply; raises the ServiceError of the service that replies, or `unavailable`."""
        ...

    def respond(self, rpc: Rpc[AnyRequest, AnyReply], handler: Callable[[AnyRequest], Awaitable[AnyReply]]) -> None:
        """Registers the handler of requests, before the bus is started."""
        ...

    def receive(self, report: Report[AnyBody], handler: Callable[[AnyBody], Awaitable[None]]) -> None:
        """Registers the handler of reports, before the bus is started."""
        ...

    async def consume(self, consumer: Consumer, work: Callable[[Event[Any], Any], Awaitable[None]]) -> bool:
        """Consumes the next event, at least once; whether there was one."""
        ...
