"""The least an HTTP request takes from Python: one connection, one request at a time, no redirects, no cookies.

Ten thousand people are signed in before a run, eight requests each; a general client would take longer for that
than the services.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple, cast
from urllib.parse import urlsplit

import httptools
import msgspec

_SECONDS: Final = 60
"""How long an answer may take."""


class HttpAnswer(NamedTuple):
    """One answer.

    Attributes:
        headers: names in lower case; the last of several values.
    """

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body, decoded."""
        return msgspec.json.decode(self.body)


class HttpLine(asyncio.Protocol):
    """A connection to one origin."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._transport: asyncio.Transport | None = None
        self._waiting: asyncio.Future[HttpAnswer] | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._headers: dict[str, str] = {}
        self._body = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the loop."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the loop."""
        if self._waiting and not self._waiting.done():
            self._waiting.set_exception(exc or ConnectionError(f"{self._host} closed the connection"))

    def data_received(self, data: bytes) -> None:
        """Called by the loop."""
        self._parser.feed_data(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called by the parser."""
        self._headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        """Called by the parser."""
        self._body += body

    def on_message_complete(self) -> None:
        """Called by the parser."""
        answer = HttpAnswer(self._parser.get_status_code(), self._headers, self._body)
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(answer)

    async def request(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> HttpAnswer:
        """Sends a request and returns its answer, whatever its status.

        Raises:
            OSError: when the connection ends or no answer comes in time.
        """
        self._headers, self._body = {}, b""
        self._parser = httptools.HttpResponseParser(self)
        self._waiting = asyncio.get_running_loop().create_future()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self._host}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        if method == "POST":
            lines.append(f"Content-Length: {len(body)}")
        if self._transport is None or self._transport.is_closing():
            raise ConnectionError(f"{self._host} closed the connection")
        self._transport.write("\r\n".join([*lines, "", ""]).encode() + body)
        async with asyncio.timeout(_SECONDS):
            return await self._waiting

    def close(self) -> None:
        """Ends the connection."""
        if self._transport:
            self._transport.close()


@asynccontextmanager
async def http_line(origin: str) -> AsyncIterator[HttpLine]:
    """A connection to an origin (``http`` only).

    Raises:
        OSError: when nothing listens there.
    """
    parts = urlsplit(origin)
    host, port = parts.hostname or "127.0.0.1", parts.port or 80
    _, line = await asyncio.get_running_loop().create_connection(lambda: HttpLine(parts.netloc), host, port)
    try:
        yield line
    finally:
        line.close()
