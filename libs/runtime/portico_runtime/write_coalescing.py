"""One write for what is written in one turn of the loop.

A server writes the head of an answer and then its body. Every write of uvloop's is a system call at once, and for a
short answer that call is a good part of what the answer costs.
"""

from __future__ import annotations

import asyncio
from typing import Any


class WriteCoalescing(asyncio.Transport):
    """A transport in front of another one."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._unwritten: list[bytes | bytearray | memoryview] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Writes at the end of this turn."""
        if not self._unwritten:
            self._loop.call_soon(self._flush)
        self._unwritten.append(data)

    def close(self) -> None:
        """Writes what there is and closes."""
        self._flush()
        self._transport.close()

    def is_closing(self) -> bool:
        """See `asyncio.BaseTransport`."""
        return self._transport.is_closing()

    def pause_reading(self) -> None:
        """See `asyncio.ReadTransport`."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """See `asyncio.ReadTransport`."""
        self._transport.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """See `asyncio.BaseTransport`."""
        return self._transport.get_extra_info(name, default)

    def _flush(self) -> None:
        unwritten, self._unwritten = self._unwritten, []
        if unwritten and not self._transport.is_closing():
            self._transport.write(b"".join(unwritten))
