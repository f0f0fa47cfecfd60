"""What a bare ASGI function reads and writes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

import msgspec
from starlette.types import Receive, Scope

encode = msgspec.json.Encoder().encode
Header = tuple[bytes, bytes]
_JSON: Final = b"application/json"
_NO_STORE: Final = (b"cache-control", b"no-store")


class Request(NamedTuple):
    scope: Scope
    body: bytes

    def header(self, name: bytes) -> str:
        """A header by its lower-case name; empty when absent."""
        return next((str(value, "latin-1") for given, value in self.scope["headers"] if given == name), "")

    def query(self) -> dict[str, str]:
        return dict(parse_qsl(self.scope["query_string"].decode("ascii")))

    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode("ascii")))


Response = tuple[int, list[Header], bytes]
Handler = Callable[[Request], Awaitable[Response]]


async def read_body(receive: Receive) -> bytes:
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
    return body


def respond(body: bytes, status: int = 200, kind: bytes = _JSON, *headers: Header) -> Response:
    return status, [(b"content-type", kind), (b"content-length", b"%d" % len(body)), *headers], body


def json(value: object, status: int = 200) -> Response:
    """JSON that no cache may store."""
    return respond(encode(value), status, _JSON, _NO_STORE)


def see_other(location: str, cookie: str = "") -> Response:
    headers = [(b"location", location.encode()), _NO_STORE, (b"content-length", b"0")]
    if cookie:
        headers.append((b"set-cookie", cookie.encode()))
    return 303, headers, b""
