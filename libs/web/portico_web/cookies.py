"""The one cookie Portico sets: the browser's opaque handle (LG-13)."""

from __future__ import annotations

import hashlib
from typing import Final

ONE_YEAR: Final = 365 * 24 * 3600


class BrowserCookie:
    """Reads, sets and clears the handle cookie of one issuer.

    The name ends in eight hex digits of SHA-256(issuer), because cookies ignore ports and two stacks on one
    host must not overwrite each other's. Under https it is a ``__Host-`` cookie.
    """

    def __init__(self, issuer: str) -> None:
        self._secure = issuer.startswith("https://")
        prefix = "__Host-" if self._secure else ""
        self.name = f"{prefix}portico-ua-{hashlib.sha256(issuer.encode()).hexdigest()[:8]}"

    def read(self, header: str | None) -> str:
        """The handle in a Cookie header; empty when there is none, or two that differ (tossed cookies)."""
        found: set[str] = set()
        for pair in (header or "").split(";"):
            name, _, value = pair.strip().partition("=")
            if name == self.name:
                found.add(value)
        return found.pop() if len(found) == 1 else ""

    def set(self, handle: str) -> str:
        """The Set-Cookie value that gives the browser a handle."""
        return self._header(handle, ONE_YEAR)

    def clear(self) -> str:
        """The Set-Cookie value that takes the handle away."""
        return self._header("", 0)

    def _header(self, value: str, max_age: int) -> str:
        secure = "; Secure" if self._secure else ""
        return f"{self.name}={value}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Lax{secure}"
