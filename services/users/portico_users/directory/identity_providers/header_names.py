"""Which header may carry a JWT (IP-08)."""

from __future__ import annotations

import re
from typing import Final

from portico_contracts.gateway import PASSED_TO_JWT_AUTHORIZE, REMOVED_FROM_REQUESTS

_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}\Z")
"""RFC 9110 §5.6.2."""

_REMOVED: Final = tuple(name.lower() for name in REMOVED_FROM_REQUESTS if name not in PASSED_TO_JWT_AUTHORIZE)
"""The gateway removes these on the way to `http.JWT_AUTHORIZE`: a proxy's JWT would not arrive."""

_NOT_BEGINNING: Final = tuple(name[:-1] for name in _REMOVED if name.endswith("*"))

_NOT_THESE: Final = frozenset(
    {
        *_REMOVED,
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "cookie",
        "expect",
        "host",
        "keep-alive",
        "origin",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "referer",
        "set-cookie",
        "te",
        "trailer",
        "transfer-encoding",
        "via",
        "x-request-id",
    }
)
"""They mean something to HTTP itself, or to the gateway: hop by hop, framing, whose request it is."""


def is_header_name(name: str) -> bool:
    """True for a name a proxy can set without changing what the request means to others."""
    lower = name.lower()
    return bool(_TOKEN.match(name)) and lower not in _NOT_THESE and not lower.startswith(_NOT_BEGINNING)
