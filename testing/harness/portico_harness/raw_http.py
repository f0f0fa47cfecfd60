"""Raw HTTP over a socket, for requests that client libraries do not send."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Final

WAIT: Final = 20.0
_START: Final = re.compile(rb"HTTP/1\.[01] ([0-9]{3}) ")


@dataclass(frozen=True, slots=True)
class Heard:
    """The bytes received.

    Args:
        closed: the peer closed the connection.
    """

    data: bytes
    closed: bool

    @property
    def statuses(self) -> list[int]:
        """Returns the response statuses in order, without 100 Continue."""
        return [status for found in _START.findall(self.data) if (status := int(found)) != 100]

    @property
    def text(self) -> str:
        return self.data.partition(b"\r\n\r\n")[2].decode()

    def header(self, name: str) -> str:
        """Returns a header of the first response by lower-case name; empty if absent."""
        lines = self.data.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        return next((line.partition(":")[2].strip() for line in lines if line.lower().startswith(f"{name}:")), "")


def request_of(method: str, path: str, headers: bytes = b"", body: bytes | None = None) -> bytes:
    """Builds a request with ``Connection: close``; a body of None has no Content-Length."""
    length = b"" if body is None else b"Content-Length: %d\r\n" % len(body)
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n".encode()
    return head + headers + length + b"\r\n" + (body or b"")


def in_chunks(body: bytes, size: int = 16_384) -> bytes:
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


async def exchange(port: int, *pieces: bytes, wait: float = WAIT) -> Heard:
    """Sends pieces and reads until the connection is closed or idle for `wait` seconds."""
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
