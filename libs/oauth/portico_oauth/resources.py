"""Resource indicators: URIs that name APIs (RFC 8707 section 2)."""

from __future__ import annotations

import re
from typing import Final

from portico_oauth.scopes import RESERVED_PREFIX

MAX_LENGTH: Final = 2_000

_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!$&-;=?-Z_a-z~\[\]%]+\Z")


def is_resource(text: str) -> bool:
    """Accepts absolute URIs without a fragment."""
    return len(text) <= MAX_LENGTH and _URI.match(text) is not None


def may_register_resource(text: str) -> bool:
    """Excludes the identifiers that scopes use for projects and organizations."""
    return is_resource(text) and not text.startswith(RESERVED_PREFIX)
