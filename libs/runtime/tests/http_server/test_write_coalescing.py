from __future__ import annotations

import asyncio

from portico_runtime.http_server.write_coalescing import WriteCoalescing


class Wire(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


async def test_head_and_body_are_one_write() -> None:
    """Writes of one turn of the event loop are joined, in order."""
    wire = Wire()
    gathered = WriteCoalescing(wire, asyncio.get_running_loop())
    gathered.write(b"head ")
    gathered.write(b"body")
    await asyncio.sleep(0)
    gathered.write(b"next")
    await asyncio.sleep(0)

    assert wire.written == [b"head body", b"next"]


async def test_pending_writes_are_sent_before_close() -> None:
    wire = Wire()
    gathered = WriteCoalescing(wire, asyncio.get_running_loop())
    gathered.write(b"last")
    gathered.close()
    gathered.write(b"too late")
    await asyncio.sleep(0)

    assert wire.written == [b"last"]
    assert gathered.is_closing()


async def test_nothing_is_written_to_a_closed_connection() -> None:
    wire = Wire()
    gathered = WriteCoalescing(wire, asyncio.get_running_loop())
    gathered.write(b"answer")
    wire.close()
    await asyncio.sleep(0)

    assert wire.written == []
