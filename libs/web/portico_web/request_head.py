"""Parses ids and body framing once, for requests that bypass the gateway too (IN-01, RX-01, HH-04)."""

from __future__ import annotations

import secrets
from typing import Final, NamedTuple

from portico_contracts import context
from portico_contracts.http import CALL_PREFIXES, route_of
from portico_oauth.errors import ErrorCode, Kind
from starlette.types import Scope

from portico_web.forms import TOO_LARGE

AMBIGUOUS = ErrorCode(
    "WEB-015",
    Kind.INVALID_REQUEST,
    "The request is ambiguous.",
    "Send one Host, and at most one of Content-Length and Transfer-Encoding: chunked.",
)
NO_BODY = ErrorCode("WEB-016", Kind.INVALID_REQUEST, "GET and HEAD requests have no body.", "Send them without a body.")

_REQUEST_ID: Final = context.REQUEST_ID_HEADER.lower().encode()
_REQUEST_START: Final = context.REQUEST_START_HEADER.lower().encode()
_READ: Final = frozenset(
    (b"host", b"content-length", b"transfer-encoding", b"traceparent", _REQUEST_ID, _REQUEST_START)
)
_TWICE: Final = b"\n"
"""Value of a repeated header; a single header cannot have it."""

_WITHOUT_BODY: Final = frozenset(("GET", "HEAD"))
_FIVE_DIGITS: Final = 5
"""A shorter Content-Length is below every limit."""


class RequestHead(NamedTuple):
    """`trace` is a W3C traceparent, `start` when the gateway received the head, `problem` why it is rejected."""

    request_id: str
    trace: str
    start: str
    problem: ErrorCode | None


def read_head(scope: Scope, *, trusted: bool) -> RequestHead:
    """Parses the headers; ids are accepted only from a trusted proxy and replaced otherwise (HH-04)."""
    found: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in _READ:
            found[name] = _TWICE if name in found else value
    request_id = found.get(_REQUEST_ID, b"").decode("latin-1") if trusted else ""
    if not context.is_request_id(request_id):
        request_id = secrets.token_hex(16)
    trace = found.get(b"traceparent", b"").decode("latin-1") if trusted else ""
    if trace and not context.is_trace_parent(trace):
        trace = ""
    start = found.get(_REQUEST_START, b"").decode("latin-1") if trusted else ""
    return RequestHead(request_id, trace, start, _problem_with(scope, found))


def _problem_with(scope: Scope, found: dict[bytes, bytes]) -> ErrorCode | None:
    """RFC 9112, 3.2 and 6.1: framing that a proxy may have interpreted differently."""
    version = scope.get("http_version")
    if version == "1.1" and found.get(b"host", _TWICE) is _TWICE:
        return AMBIGUOUS
    length, coding = found.get(b"content-length"), found.get(b"transfer-encoding")
    if coding is not None and (length is not None or coding.lower() != b"chunked" or version == "1.0"):
        return AMBIGUOUS
    if scope["method"] in _WITHOUT_BODY:
        return NO_BODY if coding is not None or length not in (None, b"0") else None
    return TOO_LARGE if length is not None and _is_too_large(length, scope["path"]) else None


def _is_too_large(length: bytes, path: str) -> bool:
    """Connect and gRPC have their own limits; below unknown paths no body is read."""
    if len(length) < _FIVE_DIGITS or path.startswith(CALL_PREFIXES):
        return False
    route = route_of(path)
    return route is not None and not (length.isdigit() and len(length) < 12 and int(length) <= route.max_body)
