"""Resource indicators: URIs that name APIs (RFC 8707 section 2)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from portico_oauth.parameters import split_words
from portico_oauth.scopes import RESERVED_PREFIX

MAX_LENGTH: Final = 2_000

_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!$&-;=?-Z_a-z~\[\]%]+\Z")
_HTTP: Final = re.compile(r"(https?://[^/?]+)(.*)\Z", re.IGNORECASE | re.DOTALL)


def is_resource(text: str) -> bool:
    """Accepts absolute URIs without a fragment."""
    return len(text) <= MAX_LENGTH and _URI.match(text) is not None


def may_register_resource(text: str) -> bool:
    """Excludes the identifiers that scopes use for projects and organizations."""
    return is_resource(text) and not text.startswith(RESERVED_PREFIX)


def resource_key(resource: str) -> str:
    """Returns what equal resources have in common.

    For http and https, scheme and host match in any case, and an empty path equals ``/`` (RFC 3986 section 6.2.3):
    client libraries write an address as their URL parser does.
    """
    match = _HTTP.match(resource)
    if match is None:
        return resource
    origin, rest = match.groups()
    return f"{origin.lower()}{rest if rest.startswith('/') else '/' + rest}"


@lru_cache(maxsize=1_000)
def read_resources(text: str | None) -> tuple[str, ...] | None:
    """Returns the values of the parameter, each once; None if one is malformed."""
    words = tuple(dict.fromkeys(split_words(text or "")))
    return words if all(map(is_resource, words)) else None
