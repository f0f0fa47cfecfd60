"""Cookies: how they are read and set, and the browser's opaque handle (LG-13)."""

from __future__ import annotations

import hashlib
from typing import Final

ONE_YEAR: Final = 365 * 24 * 3600


def read_cookie(header: str | None, name: str) -> list[str]:
    """Every value that a Cookie header has for a name."""
    if not header or name not in header:
        return []
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    return [value for given, _, value in pairs if given == name]


def read_handle(header: str | None, name: str) -> str:
    """The value of a cookie; empty when there is none, or two that differ (tossed cookies)."""
    found = set(read_cookie(header, name))
    return found.pop() if len(found) == 1 else ""


def set_cookie(name: str, value: str, *, secure: bool, max_age: int | None = None) -> str:
    """A Set-Cookie value. Without `max_age`, in seconds, the cookie ends with the browser; with 0 it ends now."""
    age = "" if max_age is None else f" Max-Age={max_age};"
    return f"{name}={value}; Path=/;{age} HttpOnly; SameSite=Lax{'; Secure' if secure else ''}"


class BrowserCookie:
    """The handle cookie of one issuer, under https a ``__Host-`` cookie.

    The name ends in eight hex digits of SHA-256(issuer), because cookies ignore ports and two installations
    on one host must not share a cookie.
    """

    def __init__(self, issuer: str) -> None:
        self._secure = issuer.startswith("https://")
        prefix = "__Host-" if self._secure else ""
        self.name = f"{prefix}portico-ua-{hashlib.sha256(issuer.encode()).hexdigest()[:8]}"

    def read(self, header: str | None) -> str:
        """Returns the handle in a Cookie header; empty without one, or for two that differ (cookie tossing)."""
        return read_handle(header, self.name)

    def set(self, handle: str) -> str:
        return set_cookie(self.name, handle, secure=self._secure, max_age=ONE_YEAR)

    def clear(self) -> str:
        return set_cookie(self.name, "", secure=self._secure, max_age=0)
