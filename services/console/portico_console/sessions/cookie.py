"""The cookie that names a session."""

from __future__ import annotations

import hashlib


class SessionCookie:
    """Reads, sets and clears the session cookie of one application; it ends with the browser at the latest.

    The name ends in eight hex digits of SHA-256(origin), because cookies ignore ports.
    """

    def __init__(self, party: str, origin: str) -> None:
        self._secure = origin.startswith("https://")
        prefix = "__Host-" if self._secure else ""
        self.name = f"{prefix}portico-{party}-{hashlib.sha256(origin.encode()).hexdigest()[:8]}"

    def read(self, header: str | None) -> str:
        """The handle in a Cookie header; empty when there is none, or two that differ."""
        found = {
            value
            for pair in (header or "").split(";")
            for name, _, value in [pair.strip().partition("=")]
            if name == self.name
        }
        return found.pop() if len(found) == 1 else ""

    def set(self, handle: str) -> str:
        """The Set-Cookie value that gives the browser a handle."""
        return f"{self.name}={handle}; Path=/; HttpOnly; SameSite=Lax{self._mark}"

    def clear(self) -> str:
        """The Set-Cookie value that takes it away."""
        return f"{self.name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax{self._mark}"

    @property
    def _mark(self) -> str:
        return "; Secure" if self._secure else ""
