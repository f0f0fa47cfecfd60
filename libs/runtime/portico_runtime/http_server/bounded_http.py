"""uvicorn's HTTP/1.1 protocol with limits for clients that bypass the gateway (RX-03, RX-06).

uvicorn does not limit the request line and headers or the time for head and body, adds trailer fields to the
headers of the current request, and loses the body of a request that offers an upgrade.
"""

from __future__ import annotations

import asyncio
import secrets
import select
import time
from email.utils import formatdate
from typing import Any, Final

import httptools
import structlog
from uvicorn._types import HTTPScope
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from portico_runtime.http_server.ignored_upgrade import head_without_upgrade
from portico_runtime.http_server.write_coalescing import WriteCoalescing

log = structlog.get_logger("portico.http")

MAX_HEAD: Final = 64 * 1024
"""Maximum bytes of request line and headers; the gateway allows half."""

MAX_MESSAGE: Final = 4 * 1024 * 1024
"""Maximum bytes of a whole request; the largest accepted body is half of that."""

LINGER_SECONDS: Final = 0.3
"""Time for which idle connections still accept a request at shutdown: clients notice the shutdown later."""

REQUEST_SECONDS: Final = 15.0
"""Time for a request to arrive: less than the gateway's timeout, so that the error is ours."""

_ANSWERS: Final = {
    400: ("Bad Request", "The request is not HTTP."),
    408: ("Request Timeout", "The request did not arrive in time."),
    431: ("Request Header Fields Too Large", "The address or the headers are too long."),
}


class BoundedHttp(HttpToolsProtocol):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._arrived = 0
        self._began: float | None = None
        """When the current request started to arrive; None between requests."""
        self._watching: asyncio.TimerHandle | None = None
        self._status = 400
        self._ending = False
        self._declining = False
        """The head just received offers an upgrade; it is parsed again without the offer."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the timeout at once: a silent connection counts as a request that does not arrive."""
        super().connection_made(WriteCoalescing(transport, self.loop))
        self._began = self.loop.time()
        self._watching = self.loop.call_later(REQUEST_SECONDS, self._watch)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._watching:
            self._watching.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._began is None:
            self._began = self.loop.time()
        self._arrived += len(data)
        self._unset_keepalive_if_required()
        try:
            self._parse(data)
        except httptools.HttpParserError as error:
            self.send_400_response(str(error))
        if self._arrived > MAX_HEAD and not self.transport.is_closing():
            self._refuse_endless()

    def on_headers_complete(self) -> None:
        if self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT":
            self._declining = True
            return
        if self._arrived > MAX_HEAD and self._head_size() > MAX_HEAD:
            self._status = 431
            raise ValueError("head too long")  # the parser ends the request, and data_received answers it
        _set_date(self.server_state, self.config)
        super().on_headers_complete()
        self.headers = []
        if self._ending:
            self.cycle.keep_alive = False

    def on_message_complete(self) -> None:
        if self._declining:
            return
        self._began = None
        self._arrived = 0
        super().on_message_complete()

    def shutdown(self) -> None:
        """Answers requests that have arrived or are arriving, with ``Connection: close`` (RFC 9112, 9.6)."""
        if self._ending:
            return
        self._ending = True
        if self.cycle is None or self.cycle.response_complete:
            self.loop.call_later(LINGER_SECONDS, self._close_unasked)
        else:
            super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """Sends an error for unparsable requests in the common error format; never a second response to one request."""
        if not self._may_answer():
            self.transport.close()
            return
        phrase, text = _ANSWERS[self._status]
        request_id = secrets.token_hex(16)
        log.info("request refused before it was read", status=self._status, cause=msg, request_id=request_id)
        body = f'{{"error":"invalid_request","error_description":"{text}"}}'
        head = (
            f"HTTP/1.1 {self._status} {phrase}\r\n"
            "Content-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n"
            "Cache-Control: no-store\r\n"
            "X-Content-Type-Options: nosniff\r\n"
            f"X-Request-Id: {request_id}\r\n"
            "Connection: close\r\n\r\n"
        )
        self.transport.write((head + body).encode())
        self.transport.close()

    def _parse(self, data: bytes) -> None:
        while data:
            try:
                self.parser.feed_data(data)
                return
            except httptools.HttpParserUpgrade as upgrade:
                if not self._declining:  # a tunnel: what follows is no request
                    return
                data = data[upgrade.args[0] :]
            self._declining = False
            head = head_without_upgrade(
                self.parser.get_method(), self.url, self.parser.get_http_version(), self.headers
            )
            self.parser = _parser(self)  # the other one expects the other protocol for good
            self.parser.feed_data(head)

    def _close_unasked(self) -> None:
        if self.transport is None or self.transport.is_closing() or self._arrived or self._has_unread():
            return
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()

    def _has_unread(self) -> bool:
        waiting = select.poll()  # `select.select` knows file descriptors below 1024 only
        waiting.register(self.transport.get_extra_info("socket"), select.POLLIN)
        return bool(waiting.poll(0))

    def _may_answer(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or self.pipeline:
            return cycle is None
        of_a_further_request = cycle.scope is not self.scope
        return cycle.response_complete if of_a_further_request else not cycle.response_started

    def _head_size(self) -> int:
        return len(self.url) + sum(len(name) + len(value) for name, value in self.headers)

    def _refuse_endless(self) -> None:
        scope: HTTPScope | None = self.scope
        if scope is None or "method" not in scope:
            self._status = 431
            self.send_400_response("endless head")
        elif self._arrived > MAX_MESSAGE:
            self.transport.close()

    def _watch(self) -> None:
        left = REQUEST_SECONDS if self._began is None else self._began + REQUEST_SECONDS - self.loop.time()
        if left > 0:
            self._watching = self.loop.call_later(left, self._watch)
        elif not self.transport.is_closing():
            self._end_late()

    def _end_late(self) -> None:
        if not self._arrived:
            self.transport.close()
            return
        self._status = 408
        self.send_400_response("late")


def _set_date(state: ServerState, config: Config) -> None:
    """Sets the Date header of the responses, once a second at most."""
    now = int(time.time())  # noqa: TID251 - no decision depends on it
    if now != getattr(state, "dated", 0):
        state.dated = now  # type: ignore[attr-defined]
        date = [(b"date", formatdate(now, usegmt=True).encode())] if config.date_header else []
        state.default_headers = date + config.encoded_headers


def _parser(connection: BoundedHttp) -> httptools.HttpRequestParser:
    parser = httptools.HttpRequestParser(connection)
    parser.set_dangerous_leniencies(lenient_data_after_close=True)
    return parser
