"""What a browser is, in words from a closed list: for people who look at where they are signed in.

The User-Agent itself is not stored: it distinguishes browsers far better than a person needs,
and its text is whatever was sent.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""What the header has, and the name; the first that is found counts, since later ones are in the headers of earlier ones."""

_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
_LONGEST: Final = 500
"""Characters of the header that are looked at."""


def read_device(request: Request) -> str:
    """Browser and system of a request: ``Firefox, Linux``; empty for what is not in the list."""
    return device_of(request.headers.get("user-agent", ""))


def device_of(user_agent: str) -> str:
    """The same of a User-Agent header (RFC 9110 section 10.1.5)."""
    looked_at = user_agent[:_LONGEST]
    names = (next((name for mark, name in known if mark in looked_at), "") for known in (_BROWSERS, _SYSTEMS))
    return ", ".join(filter(None, names))
