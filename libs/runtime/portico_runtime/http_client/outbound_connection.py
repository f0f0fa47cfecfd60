"""One HTTP/1.1 connection to a foreign server, which determines how costly its response is to parse (RX-08)."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from socket import socket
from typing import Final, cast

import h11

from portico_runtime.http_client.addresses import OutboundError

MAX_LINES: Final = 5_000
"""Maximum lines of a response's head and chunks: each costs as much as a hundred bytes of a body."""

_SLICE: Final = 4 * 1024
"""Bytes parsed at a time: in the smallest chunks 10 ms of the event loop."""

_MAX_HEAD: Final = 100 * 1024

_MOST_WAITING: Final = 64 * 1024
"""Bytes received and not parsed yet; above that the server has to wait."""

Headers = Iterable[tuple[bytes, bytes]]


class NoResponse(OutboundError):
    pass


class TooLarge(NoResponse):
    """A response over the limit of its body, which was not read to its end."""

    def __init__(self, status: int) -> None:
        super().__init__("the response is too large")
        self.status = status


class Unanswered(NoResponse):
    """The connection ended before the first byte of a response."""


@dataclass(frozen=True, slots=True)
class OutboundRequest:
    """`host` is the value of the header."""

    method: str
    host: bytes
    path: str
    headers: Headers
    body: bytes


class OutboundConnection(asyncio.Protocol):
    """Sends one request at a time."""

    def __init__(self, opened_at: float) -> None:
        self.opened_at = opened_at
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD)
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._lines = 0
        self._is_asked = self._is_answered = self._is_over = self._is_paused = False
        self._failure: Exception | None = None
        self._arrival: asyncio.Future[None] | None = None

    async def exchange(self, request: OutboundRequest, limit: int | None) -> tuple[h11.Response, bytes]:
        """Returns the response and its body of at most `limit` bytes; without a limit the body is not read.

        Raises NoResponse, OSError or h11.ProtocolError.
        """
        self._is_asked, self._is_answered, self._lines = True, False, 0
        headers = [(b"Host", request.host), (b"User-Agent", b"portico"), *request.headers]
        parts: list[h11.Event] = [h11.Request(method=request.method, target=request.path, headers=headers)]
        parts += [h11.Data(data=request.body), h11.EndOfMessage()] if request.body else [h11.EndOfMessage()]
        message = b"".join(self._http.send(part) or b"" for part in parts)
        if self._transport and not self._is_over:
            self._transport.write(message)
        response = await self._response()
        return response, b"" if limit is None else await self._body(response.status_code, limit)

    def is_reusable(self) -> bool:
        """Reports whether the last response was whole, and nothing follows it, so that another request may be sent."""
        trailing, _ = self._http.trailing_data
        if self._is_over or trailing or self._received or self._http.their_state is not h11.DONE:
            return False
        if self._http.our_state is h11.DONE:
            self._http.start_next_cycle()
            self._is_asked = False
            return True
        return False

    @property
    def is_open(self) -> bool:
        return not self._is_over

    def close(self) -> None:
        self._is_over = True
        if self._transport:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if not self._is_asked:  # what arrives before a request is not its response
            self.close()
            return
        self._is_answered = True
        self._received += data
        if self._transport and len(self._received) > _MOST_WAITING and not self._is_paused:
            self._is_paused = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._is_over = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_over, self._failure = True, exc
        self._wake()

    async def _response(self) -> h11.Response:
        while True:
            event = await self._next_event()
            if isinstance(event, h11.Response):
                return event
            if not isinstance(event, h11.InformationalResponse):
                raise h11.RemoteProtocolError("no response")

    async def _body(self, status: int, limit: int) -> bytes:
        body = bytearray()
        while not isinstance(event := await self._next_event(), h11.EndOfMessage):
            if not isinstance(event, h11.Data):
                raise h11.RemoteProtocolError("no end of the response")
            body += event.data
            if len(body) > limit:
                raise TooLarge(status)
        return bytes(body)

    async def _next_event(self) -> object:
        while True:
            event = self._http.next_event()
            if event is not h11.NEED_DATA:
                return event
            await asyncio.sleep(0)  # other requests come first
            self._http.receive_data(await self._next_slice())

    async def _next_slice(self) -> bytes:
        """Returns the next bytes to parse; empty at the end of the connection."""
        while not self._received and not self._is_over:
            self._arrival = asyncio.get_running_loop().create_future()
            await self._arrival
        data = bytes(self._received[:_SLICE])
        del self._received[:_SLICE]
        if not data:
            if not self._is_answered:
                raise Unanswered("RemoteProtocolError")
            if self._failure:
                raise self._failure
        if self._transport and self._is_paused and len(self._received) < _MOST_WAITING:
            self._is_paused = False
            self._transport.resume_reading()
        self._lines += data.count(b"\n")
        if self._lines > MAX_LINES:
            raise NoResponse("the response has too many lines")
        return data

    def _wake(self) -> None:
        if self._arrival and not self._arrival.done():
            self._arrival.set_result(None)


async def begin(plain: socket, tls: ssl.SSLContext | None, host: str, now: float) -> OutboundConnection:
    """Uses a connected socket; TLS verifies the name. Raises OSError, and closes the socket then."""
    loop = asyncio.get_running_loop()
    connection = OutboundConnection(now)
    try:
        await loop.create_connection(lambda: connection, sock=plain, ssl=tls, server_hostname=host if tls else None)
    except BaseException:
        plain.close()
        raise
    return connection
