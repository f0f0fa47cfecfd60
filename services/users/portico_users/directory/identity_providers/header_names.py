"""Which header may carry a JWT (IP-08)."""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}\Z")
"""RFC 9110 §5.6.2."""

_NOT_THESE: Final = frozenset(
    {
        "baggage",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "cookie",
        "expect",
        "forwarded",
        "host",
        "http2-settings",
        "keep-alive",
        "origin",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "referer",
        "set-cookie",
        "te",
        "traceparent",
        "tracestate",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "via",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
        "x-real-ip",
    }
)
"""They mean something to HTTP itself, or to the gateway: hop by hop, framing, whose request it is."""

_NOT_BEGINNING: Final = ("x-forwarded-", "x-original-", "x-rewrite-", "x-portico-", "portico-", "nats-")
"""The gateway removes every header that begins so: a proxy's JWT would not arrive."""


def is_header_name(name: str) -> bool:
    """True for a name a proxy can set without changing what the request means to others."""
    lower = name.lower()
    return bool(_TOKEN.match(name)) and lower not in _NOT_THESE and not lower.startswith(_NOT_BEGINNING)
