"""One connection for all calls of a command: to connect takes the bus longer than to answer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager

from portico_contracts.subjects import Reply, Request, Rpc
from portico_runtime.bus.nats_bus import NatsBus
from portico_stack.running.operator_bus import operator_bus, wait_until_connected

from portico_cli.bus_calls.watched import call_watched


class OperatorConnection:
    """Connects with the first call, and again where the connection was lost between two."""

    def __init__(self, url: str, password: str, runner: asyncio.Runner) -> None:
        self._login = url, password
        self._runner = runner
        self._opened = AsyncExitStack()
        self._bus: NatsBus | None = None

    def call(
        self, rpc: Rpc[Request, Reply], request: Request, *, seconds: float, empty: Request | None = None
    ) -> Reply:
        return self._runner.run(self._call(rpc, request, seconds, empty))

    def close(self) -> None:
        self._runner.run(self._opened.aclose())

    async def _call(self, rpc: Rpc[Request, Reply], request: Request, seconds: float, empty: Request | None) -> Reply:
        if self._bus is None:
            self._bus = await self._opened.enter_async_context(operator_bus(*self._login))
        else:
            # Between calls nothing answers the pings of the server, which therefore may have ended the connection.
            await wait_until_connected(self._bus)
        if empty is None:
            return await self._bus.call(rpc, request, seconds=seconds)
        return await call_watched(self._bus, rpc, request, empty=empty, seconds=seconds)


@contextmanager
def operator_connection(url: str, password: str) -> Iterator[OperatorConnection]:
    with asyncio.Runner() as runner:
        connection = OperatorConnection(url, password, runner)
        try:
            yield connection
        finally:
            connection.close()
