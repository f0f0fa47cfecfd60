"""HTTP as bytes on a socket, for what no client library would send."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Final

WAIT: Final = 2.0
_START: Final = re.compile(rb"HTTP/1\.[01] ([0-9]{3}) ")


@dataclass(frozen=True, slots=True)
class Heard:
    """What came back.

    Args:
        data: every byte.
        closed: the other side closed the connection.
    """

    data: bytes
    closed: bool

    @property
    def statuses(self) -> list[int]:
        """Of the answers, in order, without 100 Continue."""
        return [status for found in _START.findall(self.data) if (status := int(found)) != 100]


async def exchange(port: int, *pieces: bytes, wait: float = WAIT) -> Heard:
    """Sends pieces and listens until the connection is closed or nothing came for so many seconds."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data, closed = b"", False
    try:
        try:
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
            while not closed:
                more = await asyncio.wait_for(reader.read(65_536), wait)
                data += more
                closed = not more
        except TimeoutError:
            pass
        except OSError:  # reset while we were still sending: closed as well
            closed = True
    finally:
        writer.close()
    return Heard(data, closed)
