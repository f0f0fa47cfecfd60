"""The one stylesheet of all pages: made here, served by login-ui, linked by every page under its fingerprint."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from portico_contracts.http import LOGIN_STATIC


@dataclass(frozen=True, slots=True)
class Stylesheet:
    """What is served.

    Args:
        content: the CSS.
        version: twelve hex digits of its SHA-256.
    """

    content: bytes
    version: str

    @property
    def address(self) -> str:
        """The path pages link to; it changes with the content, so it may be cached for ever."""
        return f"{LOGIN_STATIC}/portico.css?v={self.version}"


@cache
def stylesheet() -> Stylesheet:
    """The stylesheet that came with this package."""
    content = files("portico_web").joinpath("static", "portico.css").read_bytes()
    return Stylesheet(content, hashlib.sha256(content).hexdigest()[:12])
