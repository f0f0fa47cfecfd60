"""ZITADEL's names of scopes and claims (decision 0105): read and written only where PORTICO_ZITADEL_NAMES is on."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, Final

from portico_oauth.scopes import (
    METADATA,
    PROJECT_ROLES,
    RESERVED_PREFIX,
    RESOURCE_OWNER,
    THEIR_PREFIX,
    asks_for,
    is_their_name,
    organization_in,
)

ROLES_OF: Final = f"{THEIR_PREFIX}org:project:"
"""Prefix of claims with roles."""

THEIR_METADATA: Final = f"{THEIR_PREFIX}user:metadata"

_ROLES: Final = f"{ROLES_OF}roles"
_SCOPES: Final = {
    f"{THEIR_PREFIX}org:projects:roles": _ROLES,
    f"{ROLES_OF}id:zitadel:aud": f"{RESERVED_PREFIX}project:id:portico:aud",
}
_PATTERNS: Final = (
    (re.compile(rf"{ROLES_OF}(id:[^:\s]+:aud)\Z"), rf"{RESERVED_PREFIX}project:\1"),
    (re.compile(rf"{ROLES_OF}role:[^\s]+\Z"), _ROLES),
    (re.compile(rf"{THEIR_PREFIX}org:(idp:id:[^:\s]+)\Z"), rf"{RESERVED_PREFIX}\1"),
)


@lru_cache(maxsize=1_000)
def readable_scope(text: str) -> str:
    """The scope in words that `portico_oauth.scopes` knows; words without a counterpart stay.

    A word that requests claims keeps ZITADEL's name, so that they get this name; the others get Portico's. Cached,
    because clients repeat the same few.
    """
    return " ".join(map(_word, text.split(" "))) if THEIR_PREFIX in text else text


def _word(word: str) -> str:
    if word in _SCOPES:
        return _SCOPES[word]
    for pattern, known in _PATTERNS:
        if pattern.match(word):
            return pattern.sub(known, word)
    return word


def with_asked_names(claims: Mapping[str, Any], scope: Collection[str]) -> dict[str, Any]:
    """Names roles, metadata and resource owner as the scope does, under both names if it names them under neither.

    An application may have registered ZITADEL's name for its list of roles: such a claim stays, and so does Portico's.
    """
    named: dict[str, Any] = {}
    for name, value in claims.items():
        theirs = _their_name(name)
        if not theirs or theirs in claims:
            named.setdefault(name, value)
            continue
        by_ours, by_theirs = _asked(name, scope)
        if by_ours or not by_theirs:
            named[name] = value
        if by_theirs or not by_ours:
            named[theirs] = value
    return named


def _asked(name: str, scope: Collection[str]) -> tuple[bool, bool]:
    """Reports whether the claim was requested by Portico's name, and by ZITADEL's."""
    words = [word for word in scope if _asks_for_claim(word, name)]
    return any(not is_their_name(word) for word in words), any(map(is_their_name, words))


def _asks_for_claim(word: str, name: str) -> bool:
    if name.startswith(f"{RESOURCE_OWNER}:"):
        return asks_for((word,), RESOURCE_OWNER) or organization_in(word) is not None
    return asks_for((word,), METADATA if name == METADATA else PROJECT_ROLES)


def _their_name(name: str) -> str:
    if name.startswith(f"{RESERVED_PREFIX}project:") and name.endswith(":roles"):
        return f"{THEIR_PREFIX}org:{name.removeprefix(RESERVED_PREFIX)}"
    if name == METADATA or name.startswith(f"{RESOURCE_OWNER}:"):
        return f"{THEIR_PREFIX}{name.removeprefix(RESERVED_PREFIX)}"
    return ""
