"""What is written in one turn of the loop leaves in one piece."""

from __future__ import annotations

import asyncio

from portico_runtime.write_coalescing import WriteCoalescing


class Wire(asyncio.Transport):
    """A connection that remembers each write."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Remembers."""
        self.written.append(bytes(data))

    def close(self) -> None:
        """Remembers."""
        self.closed = True

    def is_closing(self) -> bool:
        """Answers as the test configured it."""
        return self.closed


async def test_head_and_body_are_one_write() -> None:
    """Two writes of one turn become one, in order; the next turn has its own."""
    wire = Wire()
    gathered = WriteCoalescing(wire, asyncio.get_running_loop())
    gathered.write(b"head ")
    gathered.write(b"body")
    await asyncio.sleep(0)
    gathered.write(b"next")
    await asyncio.sleep(0)

    assert wire.written == [b"head body", b"next"]


async def test_what_was_written_goes_out_before_the_end() -> None:
    """Closing sends what waits first, and nothing afterwards."""
    wire = Wire()
    gathered = WriteCoalescing(wire, asyncio.get_running_loop())
    gathered.write(b"last")
    gathered.close()
    gathered.write(b"too late")
    await asyncio.sleep(0)

    assert wire.written == [b"last"]
    assert gathered.is_closing()


async def test_nothing_is_written_to_a_connection_that_is_closed() -> None:
    """The other side may hang up between the write and the end of the turn."""
    wire = Wire()
    gathered = WriteCoalescing(wire, asyncio.get_running_loop())
    gathered.write(b"answer")
    wire.close()
    await asyncio.sleep(0)

    assert wire.written == []
