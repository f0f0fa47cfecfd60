"""The addresses that pages link or show."""

from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.redirect_uris import may_register

INVALID_LINK = ErrorCode(
    "USER-621",
    Kind.INVALID_REQUEST,
    "Invalid link.",
    "Use an address that starts with https://, or leave it empty.",
)


def is_link(text: str) -> bool:
    """True for an https address. What becomes a link of a page must never be the address of a script (MG-20)."""
    return text.startswith("https://") and may_register(text, dev_mode=False)
