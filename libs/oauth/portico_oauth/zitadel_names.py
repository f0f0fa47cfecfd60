"""ZITADEL's names of scopes and claims (decision 0105): read and written only where PORTICO_ZITADEL_NAMES is on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from portico_oauth.scopes import METADATA, PROJECT_ROLES, RESERVED_PREFIX, RESOURCE_OWNER

THEIR_PREFIX: Final = "urn:zitadel:iam:"
ROLES_OF: Final = f"{THEIR_PREFIX}org:project:"
"""Prefix of claims with roles."""

THEIR_METADATA: Final = f"{THEIR_PREFIX}user:metadata"

_ROLES: Final = f"{ROLES_OF}roles"
_SCOPES: Final = {
    _ROLES: PROJECT_ROLES,
    f"{THEIR_PREFIX}org:projects:roles": PROJECT_ROLES,
    THEIR_METADATA: METADATA,
    f"{THEIR_PREFIX}user:resourceowner": RESOURCE_OWNER,
    f"{ROLES_OF}id:zitadel:aud": f"{RESERVED_PREFIX}project:id:portico:aud",
}
_PATTERNS: Final = (
    (re.compile(rf"{ROLES_OF}(id:[^:\s]+:aud)\Z"), rf"{RESERVED_PREFIX}project:\1"),
    (re.compile(rf"{ROLES_OF}role:[^\s]+\Z"), PROJECT_ROLES),
    (re.compile(rf"{THEIR_PREFIX}(org:id:[^:\s]+)\Z"), rf"{RESERVED_PREFIX}\1"),
    (re.compile(rf"{THEIR_PREFIX}org:(idp:id:[^:\s]+)\Z"), rf"{RESERVED_PREFIX}\1"),
)


@lru_cache(maxsize=1_000)
def portico_scope(text: str) -> str:
    """The scope with Portico's names; words without a counterpart stay. Cached, because clients repeat the same few."""
    return " ".join(map(_word, text.split(" "))) if THEIR_PREFIX in text else text


def _word(word: str) -> str:
    if word in _SCOPES:
        return _SCOPES[word]
    for pattern, ours in _PATTERNS:
        if pattern.match(word):
            return pattern.sub(ours, word)
    return word


def with_their_names(claims: Mapping[str, Any]) -> dict[str, Any]:
    """Adds roles, metadata and resource owner under ZITADEL's names, unless an application has such a claim already."""
    return {**{theirs: claims[name] for name, theirs in _their_names(claims)}, **claims}


def _their_names(claims: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, theirs) for name in claims if (theirs := _their_name(name))]


def _their_name(name: str) -> str:
    if name.startswith(f"{RESERVED_PREFIX}project:") and name.endswith(":roles"):
        return f"{THEIR_PREFIX}org:{name.removeprefix(RESERVED_PREFIX)}"
    if name == METADATA or name.startswith(f"{RESOURCE_OWNER}:"):
        return f"{THEIR_PREFIX}{name.removeprefix(RESERVED_PREFIX)}"
    return ""
