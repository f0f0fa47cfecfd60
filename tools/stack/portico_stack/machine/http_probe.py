"""One GET to a server of our own on loopback, for readiness and status; and what a service answers at /readyz.

Without an HTTP library, which `portico up` would keep in memory for a few such requests (decision 0044).
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NamedTuple

import msgspec

from portico_stack.machine.public_name import LOCALHOST, trust


class Answer(NamedTuple):
    status: int
    body: bytes


async def get(port: int, path: str, *, ca_file: Path | None = None, host: str = LOCALHOST) -> Answer:
    """The caller sets the timeout; `host` is the requested name, whatever it resolves to."""
    tls = await asyncio.to_thread(trust, ca_file) if ca_file else None
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls, server_hostname=host if tls else None)
    try:
        # The body of an HTTP/1.0 response has no chunks and ends with the connection (RFC 9112 section 6.3).
        writer.write(f"GET {path} HTTP/1.0\r\nHost: {host}:{port}\r\n\r\n".encode())
        head, found, body = (await reader.read()).partition(b"\r\n\r\n")
    finally:
        writer.close()
    version, _, status = head[:12].partition(b" ")
    if not found or not version.startswith(b"HTTP/1.") or not status.isdigit():
        raise ConnectionError("no HTTP response")
    return Answer(int(status), body)


def parts(body: bytes) -> dict[str, str]:
    """The state of each part of a service at /readyz; none when the body is not the answer of a service."""
    try:
        return msgspec.json.decode(body, type=dict[str, str])
    except msgspec.MsgspecError:
        return {}


def not_ok(body: bytes) -> list[str]:
    return [f"{part}: {state}" for part, state in parts(body).items() if state != "ok"]
