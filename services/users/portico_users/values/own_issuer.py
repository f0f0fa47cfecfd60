from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

_PORTS: Final = {"https": 443, "http": 80}


def is_own_issuer(url: str, own: str) -> bool:
    """Reports whether a URL leads to this installation, in any spelling: with http, a last slash or a port too."""
    try:
        is_same_host = _host_of(url) == _host_of(own)
    except ValueError:
        return False
    return is_same_host and urlsplit(url).path.rstrip("/") == urlsplit(own).path.rstrip("/")


def _host_of(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return (parts.hostname or "").lower().rstrip("."), parts.port or _PORTS.get(parts.scheme, 0)
