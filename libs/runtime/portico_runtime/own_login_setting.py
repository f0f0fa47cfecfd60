from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import Field, field_validator

from portico_runtime.settings import Section

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class OwnLoginSection(Section):
    """Own login pages that use ZITADEL's session and OIDC services."""

    own_login_url: str = Field(
        default="",
        description="Address of own login pages. A browser that has to sign in is redirected to its path /login with the parameter authRequest. Requires PORTICO_ZITADEL_NAMES. Empty: Portico's pages.",
    )

    @field_validator("own_login_url")
    @classmethod
    def _is_a_page(cls, value: str) -> str:
        if value and not _is_safe(value):
            raise ValueError("must be an https address without query, fragment and user; http only on a loopback host")
        return value.rstrip("/")


def _is_safe(value: str) -> bool:
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    is_plain = value.isascii() and value.isprintable() and not any(mark in value for mark in ' ?#@\\"<>')
    return is_plain and bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK))
