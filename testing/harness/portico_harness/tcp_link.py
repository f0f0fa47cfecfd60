"""A TCP proxy that can refuse connections, drop packets or delay data."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, Self

_CHUNK: Final = 65_536


class Cut(Enum):
    REFUSED = "refused"
    """Connections are closed and new ones refused, as when the program is not running."""
    DROPPED = "dropped"
    """Data is held and connections stay open; held data is delivered after `heal`."""


class TcpLink:
    """Forwards connections to a local port; use it as an async context.

    Args:
        target: may be set after the link's own port is known.
        renamed: replacements of equal length in responses, for addresses that would bypass the link.
    """

    def __init__(self, target: Callable[[], int], renamed: Mapping[bytes, bytes] | None = None) -> None:
        self.seconds = 0.0
        """Delay in each direction, in seconds."""
        self.renamed = dict(renamed or {})
        self.open = 0
        """Current number of connections."""
        self.most = 0
        """Peak number of connections."""
        self._target = target
        self._server: asyncio.Server | None = None
        self._port = 0
        self._whole = asyncio.Event()
        self._whole.set()
        self._forwarding: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> Self:
        await self._listen()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._refuse()

    @property
    def port(self) -> int:
        return self._port

    async def cut(self, how: Cut) -> None:
        if how is Cut.REFUSED:
            await self._refuse()
        else:
            self._whole.clear()

    async def heal(self) -> None:
        self._whole.set()
        if self._server is None:
            await self._listen()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._forward, "127.0.0.1", self._port, backlog=2048)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _refuse(self) -> None:
        if self._server:
            self._server.close()
            self._server = None
        for task in tuple(self._forwarding):
            task.cancel()
        await asyncio.gather(*self._forwarding, return_exceptions=True)

    async def _forward(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._forwarding.add(task)
        self.open += 1
        self.most = max(self.most, self.open)
        there: StreamWriter | None = None
        try:
            await self._whole.wait()
            answers, there = await asyncio.open_connection("127.0.0.1", self._target())
            await self._both_ways((reader, there, bytes), (answers, writer, self._rename))
        except (OSError, asyncio.CancelledError):  # its end is all that either side learns
            pass
        finally:
            self.open -= 1
            self._forwarding.discard(task)
            for one in (writer, there):
                if one is not None:
                    one.transport.abort()

    async def _both_ways(self, *ways: tuple[StreamReader, StreamWriter, Callable[[bytes], bytes]]) -> None:
        tasks = [asyncio.create_task(self._one_way(*way)) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _one_way(self, reader: StreamReader, writer: StreamWriter, changed: Callable[[bytes], bytes]) -> None:
        now = asyncio.get_running_loop().time
        due: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                at, data = await due.get()
                await asyncio.sleep(max(at - now(), 0))  # allow fixed-wait: the link is slow
                await self._whole.wait()
                writer.write(data)
                await writer.drain()
                due.task_done()

        delivering = asyncio.create_task(deliver())
        try:
            while data := await reader.read(_CHUNK):
                due.put_nowait((now() + self.seconds, changed(data)))
            joined = asyncio.create_task(due.join())
            await asyncio.wait({joined, delivering}, return_when=asyncio.FIRST_COMPLETED)
            joined.cancel()
        finally:
            delivering.cancel()

    def _rename(self, data: bytes) -> bytes:
        for real, seen in self.renamed.items():
            data = data.replace(real, seen)
        return data
