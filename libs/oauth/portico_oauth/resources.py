"""Resource indicators: URIs that name APIs (RFC 8707 section 2)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from portico_oauth.parameters import split_words
from portico_oauth.scopes import is_reserved

MAX_LENGTH: Final = 2_000

_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!$&-;=?-Z_a-z~\[\]%]+\Z")
_HTTP: Final = re.compile(r"(https?://[^/?]+)(.*)\Z", re.IGNORECASE | re.DOTALL)
_AUTHORITY: Final = re.compile(r"([a-z][a-z0-9+.-]*)://([^/?]*)", re.IGNORECASE)
_HOST: Final = re.compile(r"([a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::([0-9]{0,5}))?\Z", re.IGNORECASE)
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_NO_APIS: Final = frozenset(["about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source"])
"""Schemes of scripts and local content, which name no API, and which a page that links them would run."""


class Authority(NamedTuple):
    """The host in lower case, and the port; None for the default one of http and https."""

    host: str
    port: int | None


def is_resource(text: str) -> bool:
    """Accepts absolute URIs without a fragment."""
    return len(text) <= MAX_LENGTH and _URI.match(text) is not None


def may_register_resource(text: str) -> bool:
    """Excludes user information, schemes of scripts, and what begins as names of Portico and ZITADEL."""
    if not is_resource(text) or is_reserved(text):
        return False
    scheme = text.partition(":")[0].lower()
    has_authority = _AUTHORITY.match(text) is not None or scheme in _DEFAULT_PORTS
    return scheme not in _NO_APIS and not (has_authority and authority_of(text) is None)


def authority_of(uri: str) -> Authority | None:
    """The host and port of a URI; None without any, and where they are malformed or have user information."""
    found = _AUTHORITY.match(uri)
    host = _HOST.match(found.group(2)) if found else None
    if found is None or host is None:
        return None
    port = int(host.group(2)) if host.group(2) else None
    default = _DEFAULT_PORTS.get(found.group(1).lower())
    return Authority(host.group(1).lower().rstrip("."), None if port == default else port)


def resource_key(resource: str) -> str:
    """Returns what equal resources have in common.

    For http and https, scheme and host match in any case, without the default port, and an empty path equals ``/``
    (RFC 3986 section 6.2.3): client libraries write an address as their URL parser does.
    """
    match = _HTTP.match(resource)
    if match is None:
        return resource
    origin, rest = match.group(1).lower(), match.group(2)
    authority = authority_of(resource)
    if authority is not None and authority.port is None:
        origin = re.sub(r":[0-9]*\Z", "", origin)
    return f"{origin}{rest if rest.startswith('/') else '/' + rest}"


@lru_cache(maxsize=1_000)
def read_resources(text: str | None) -> tuple[str, ...] | None:
    """Returns the values of the parameter, each once; None if one is malformed."""
    words = tuple(dict.fromkeys(split_words(text or "")))
    return words if all(map(is_resource, words)) else None
