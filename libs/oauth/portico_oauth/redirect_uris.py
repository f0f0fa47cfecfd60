from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+\Z")
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_LOOPBACK_HOST: Final = re.compile(r"(http://(?:localhost|127\.0\.0\.1|\[::1\]))(?::[1-9][0-9]{0,4})?(?=[/?]|\Z)")
MAX_LENGTH: Final = 2_000

_NOT_OF_APPS: Final = frozenset(
    [
        "about",
        "blob",
        "chrome",
        "chrome-extension",
        "content",
        "data",
        "file",
        "filesystem",
        "ftp",
        "intent",
        "jar",
        "javascript",
        "mailto",
        "moz-extension",
        "ms-appx",
        "resource",
        "sms",
        "tel",
        "urn",
        "vbscript",
        "view-source",
        "ws",
        "wss",
    ]
)
"""Schemes without a dot that browsers or systems handle themselves: no app can receive the code there."""


def is_loopback(host: str | None) -> bool:
    return host in _LOOPBACK


@lru_cache(maxsize=1_000)  # looked at again at every authorization request
def may_register(uri: str, *, dev_mode: bool = False, plain_schemes: bool = False) -> bool:
    """Allows https, http on a loopback host, private-use schemes with a dot, and any http in dev mode.

    With ``plain_schemes`` also private-use schemes without a dot, but none of scripts, local content or pages.
    """
    if len(uri) > MAX_LENGTH or not _URI.match(uri) or "#" in uri:
        return False
    try:
        parts = urlsplit(uri)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        return False
    if parts.scheme == "https":
        return bool(host) and "@" not in parts.netloc
    if parts.scheme == "http":
        return bool(host) and "@" not in parts.netloc and (dev_mode or is_loopback(host))
    return "." in parts.scheme or (plain_schemes and parts.scheme not in _NOT_OF_APPS)


def needs_plain_schemes(uri: str) -> bool:
    """Reports whether only ``plain_schemes`` allow the URI: its scheme has no dot (RFC 8252 section 8.4)."""
    return may_register(uri, plain_schemes=True) and not may_register(uri)


def is_registered(uri: str, registered: Collection[str], *, any_port: bool = False) -> bool:
    """Compares by code points, without exceptions for case, prefix or wildcards.

    With ``any_port`` only the port of a loopback host may differ (RFC 8252 section 7.3; decision 0112).
    """
    if uri in registered:
        return True
    bare = _without_port(uri) if any_port else ""
    return bare != "" and any(_without_port(one) == bare for one in registered)


def _without_port(uri: str) -> str:
    """Removes the port of a loopback host; returns an empty text for every other URI."""
    found = _LOOPBACK_HOST.match(uri)
    return uri[: found.end(1)] + uri[found.end() :] if found else ""


def start_address(redirect_uris: Collection[str], post_logout_uris: Collection[str] = ()) -> str:
    """Returns the address at which users begin: of the registered origin, and https or loopback; empty for none.

    A post-logout URI such as ``https://shop.example/app/`` above a redirect URI, else the root of the first redirect URI.
    """
    callbacks = [uri for uri in redirect_uris if uri.startswith(("https:", "http:")) and may_register(uri)]
    homes = (uri for uri in post_logout_uris if uri.endswith("/") and any(one.startswith(uri) for one in callbacks))
    return next(homes, f"{origin_of(callbacks[0])}/" if callbacks else "")


def origin_of(uri: str) -> str | None:
    parts = urlsplit(uri)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else None
