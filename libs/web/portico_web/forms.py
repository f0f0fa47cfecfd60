"""Parses form bodies: urlencoded only, with a size limit, never decompressed (RX-01, RX-02, RX-10)."""

from __future__ import annotations

from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import MAX_FIELDS, Parameters, read_parameters
from starlette.requests import Request

from portico_web.headers import find_header

MAX_FORM: Final = 64 * 1024
_FORM: Final = "application/x-www-form-urlencoded"

UNSUPPORTED_MEDIA_TYPE = ErrorCode(
    "WEB-001",
    Kind.UNSUPPORTED_MEDIA_TYPE,
    "The body must be application/x-www-form-urlencoded.",
    "Send a form body, not compressed.",
)
TOO_LARGE = ErrorCode("WEB-002", Kind.CONTENT_TOO_LARGE, "The body is too large.", "Send a smaller body.")
INCOMPLETE_BODY = ErrorCode(
    "WEB-004",
    Kind.INVALID_REQUEST,
    "The body is incomplete.",
    "Send the number of bytes stated in Content-Length, without long pauses.",
)


def is_form(request: Request) -> bool:
    return media_of(request) == _FORM


async def read_form(
    request: Request, *, with_query: bool = False, most: int = MAX_FIELDS, most_bytes: int = MAX_FORM
) -> Parameters:
    """Parses a POST body of at most `most_bytes` and `most` fields; with ``with_query``, a name in both is a repeat."""
    if not is_form(request) or find_header(request, b"content-encoding"):
        raise UNSUPPORTED_MEDIA_TYPE.error(media=media_of(request)[:60])
    body = await read_body(request, most_bytes)
    if with_query:
        return read_parameters(request.scope["query_string"], body, most=most)
    return read_parameters(body, most=most)


async def read_body(request: Request, limit: int) -> bytes:
    """Raises WEB-002 as soon as the body exceeds the limit, WEB-004 when the client disconnected."""
    announced = find_header(request, b"content-length") or ""
    if announced.isdecimal() and (len(announced) > 12 or int(announced) > limit):
        raise TOO_LARGE.error()
    body, more = bytearray(), True  # grows in place: a body in many small pieces costs no more than its bytes
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise INCOMPLETE_BODY.error()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > limit:
            raise TOO_LARGE.error()
    return bytes(body)


def media_of(request: Request) -> str:
    return (find_header(request, b"content-type") or "").split(";")[0].strip().lower()
