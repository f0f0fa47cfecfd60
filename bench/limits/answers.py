"""What a bare ASGI function reads and writes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

import msgspec
from starlette.types import Receive, Scope

encode = msgspec.json.Encoder().encode

_JSON: Final = (b"content-type", b"application/json")
_NO_STORE: Final = (b"cache-control", b"no-store")


class Ask(NamedTuple):
    """One request."""

    scope: Scope
    body: bytes

    def header(self, name: bytes) -> str:
        """A header by its lower-case name; empty when absent."""
        for given, value in self.scope["headers"]:
            if given == name:
                return str(value, "latin-1")
        return ""

    def query(self) -> dict[str, str]:
        """The parameters of the address."""
        return dict(parse_qsl(self.scope["query_string"].decode("ascii")))

    def form(self) -> dict[str, str]:
        """The parameters of the body."""
        return dict(parse_qsl(self.body.decode("ascii")))


class Answer(NamedTuple):
    """One answer."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


Handler = Callable[[Ask], Awaitable[Answer]]


async def read_body(receive: Receive) -> bytes:
    """The whole body."""
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
    return body


def document(body: bytes) -> Answer:
    """A prepared JSON document."""
    return Answer(200, [_JSON, (b"content-length", b"%d" % len(body))], body)


def json(value: object, status: int = 200) -> Answer:
    """JSON that no cache may store."""
    body = encode(value)
    return Answer(status, [_JSON, _NO_STORE, (b"content-length", b"%d" % len(body))], body)


def html(text: str) -> Answer:
    """A page."""
    body = text.encode()
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", b"%d" % len(body))]
    return Answer(200, headers, body)


def see_other(location: str, cookie: str = "") -> Answer:
    """A redirect."""
    headers = [(b"location", location.encode()), _NO_STORE, (b"content-length", b"0")]
    if cookie:
        headers.append((b"set-cookie", cookie.encode()))
    return Answer(303, headers, b"")
