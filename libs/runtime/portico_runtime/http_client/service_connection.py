"""One HTTP/1.1 connection to another Portico service, parsed by httptools (RFC 9112)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final, NamedTuple, cast

import httptools
from starlette.datastructures import Headers

MAX_ANSWER: Final = 16 * 1024 * 1024
"""Maximum bytes of a response: a thousand applications or events, the largest page of a list, can have several MiB."""


class NoResponse(OSError):
    pass


class ServiceResponse(NamedTuple):
    """The response of a service; header names are case-insensitive, and of repeated headers the first counts."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class ServiceConnection(asyncio.Protocol):
    """Sends one request at a time. A request that fails closes the connection."""

    def __init__(self) -> None:
        self.idle_since = 0.0
        self._transport: asyncio.Transport | None = None
        self._response: asyncio.Future[ServiceResponse] | None = None

    async def request(self, message: bytes) -> ServiceResponse:
        """Raises `NoResponse`. If the caller is cancelled, its response must reach no other caller."""
        if not self._transport:
            raise NoResponse("the connection is closed")
        self._response = asyncio.get_running_loop().create_future()
        self._parser = httptools.HttpResponseParser(self)
        self._headers: list[tuple[bytes, bytes]] = []
        self._body = bytearray()
        self._size = 0
        self._complete = self._unsolicited = False
        self._transport.write(message)
        try:
            return await self._response
        except BaseException:
            self.close()
            raise

    def is_usable(self, oldest: float) -> bool:
        """Reports whether it can send a request; not if idle since before `oldest`."""
        return self._transport is not None and not self._transport.is_closing() and self.idle_since > oldest

    def close(self) -> None:
        if self._transport:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._fail("the connection was closed")

    def data_received(self, data: bytes) -> None:
        if not self._response or self._response.done():
            self.close()
            return
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._fail(type(error).__name__)
            return
        if self._size > MAX_ANSWER:
            self._fail("the response is too large")
        elif self._complete:
            self._finish()

    def on_message_begin(self) -> None:
        self._unsolicited = self._complete

    def on_header(self, name: bytes, value: bytes) -> None:
        self._size += len(name) + len(value)
        if not self._complete:
            self._headers.append((name.lower(), value))

    def on_body(self, body: bytes) -> None:
        self._size += len(body)
        if not self._complete and self._size <= MAX_ANSWER:
            self._body += body

    def on_message_complete(self) -> None:
        if not self._complete:
            self._status = self._parser.get_status_code()
            self._keeps_alive = self._parser.should_keep_alive()
            self._complete = True

    def _finish(self) -> None:
        if self._unsolicited or not self._keeps_alive:
            self.close()
        if self._response:
            self._response.set_result(ServiceResponse(self._status, Headers(raw=self._headers), bytes(self._body)))

    def _fail(self, reason: str) -> None:
        if self._response and not self._response.done():
            self._response.set_exception(NoResponse(reason))
        self.close()
