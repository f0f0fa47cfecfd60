"""The smallest HTTP client: one GET to a server of our own on loopback, for readiness and status."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NamedTuple

from portico_stack.public_name import LOCALHOST, trust


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: bytes


async def get(port: int, path: str, *, ca_file: Path | None = None, host: str = LOCALHOST) -> Answer:
    """Asks this machine for a path, over TLS when a certificate to trust is given.

    Args:
        host: the name that is asked for, wherever it leads to.

    Raises:
        OSError: when nobody answers, or not in HTTP.
    """
    tls = await asyncio.to_thread(trust, ca_file) if ca_file else None
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls, server_hostname=host if tls else None)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        head, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
    finally:
        writer.close()
    words = head.split(b" ", 2)
    if len(words) < 2 or not words[1].isdigit():
        raise ConnectionError("the answer is not HTTP")
    return Answer(int(words[1]), body)
