"""Browser and system from a closed list; the User-Agent itself is untrusted and too precise to be stored."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from starlette.requests import Request

from portico_web.headers import find_header

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
"""Pattern and name; the first match counts, since later names occur in the headers of earlier ones."""

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
"""Characters of the header that are examined."""


def read_device(request: Request) -> str:
    """Returns browser and system: ``Firefox, Linux``; empty if unknown."""
    return device_of(find_header(request, b"user-agent") or "")


def device_of(user_agent: str) -> str:
    return _device_of(user_agent[:_LONGEST])


@lru_cache(maxsize=1_000)
def _device_of(looked_at: str) -> str:
    names = (next((name for mark, name in known if mark in looked_at), "") for known in (_BROWSERS, _SYSTEMS))
    return ", ".join(filter(None, names))
