from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final

from portico_oauth.parameters import split_words

OPENID: Final = "openid"
OFFLINE_ACCESS: Final = "offline_access"

MAX_LENGTH: Final = 4_000
"""Maximum characters of a scope parameter (TK-13)."""

MAX_WORD: Final = 200
"""Maximum characters of a scope that an API defines."""

_TOKEN: Final = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+\Z")

CLAIMS_OF_SCOPE: Final[dict[str, tuple[str, ...]]] = {
    "profile": (
        "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile",
        "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at",
    ),
    "email": ("email", "email_verified"),
    "phone": ("phone_number", "phone_number_verified"),
    "address": ("address",),
}  # fmt: skip
"""Standard claims by scope (OIDC Core section 5.4)."""

STANDARD: Final = (OPENID, *CLAIMS_OF_SCOPE, OFFLINE_ACCESS)

RESERVED_PREFIX: Final = "urn:portico:"
_RESERVED: Final = (RESERVED_PREFIX, "urn:zitadel:")
"""In any case: a reader who does not compare exactly must not take one for Portico's or ZITADEL's."""

METADATA: Final = "urn:portico:user:metadata"
RESOURCE_OWNER: Final = "urn:portico:user:resourceowner"
PROJECT_ROLES: Final = "urn:portico:project:roles"
THEIR_PREFIX: Final = "urn:zitadel:iam:"
"""Of ZITADEL's names, read only where PORTICO_ZITADEL_NAMES is on (decision 0105)."""

_OTHER_NAMES: Final = {
    METADATA: f"{THEIR_PREFIX}user:metadata",
    RESOURCE_OWNER: f"{THEIR_PREFIX}user:resourceowner",
    PROJECT_ROLES: f"{THEIR_PREFIX}org:project:roles",
}
_OWN_NAMES: Final = {theirs: ours for ours, theirs in _OTHER_NAMES.items()}

OWN_PROJECT: Final = "portico"
"""The id of Portico's own project: the management API accepts access tokens with it in their audience."""

_PROJECT_AUDIENCE: Final = re.compile(r"urn:portico:project:id:([^:\s]{1,200}):aud\Z")
_ORGANIZATION: Final = re.compile(r"urn:(?:portico|zitadel:iam):org:id:([^:\s]{1,200})\Z")
_IDP: Final = re.compile(r"urn:portico:idp:id:([^:\s]{1,200})\Z")


def split(scope: str) -> list[str] | None:
    """Splits a scope parameter in order, without duplicates and extra spaces; None when it is malformed."""
    if len(scope) > MAX_LENGTH:
        return None
    words = split_words(scope)
    if not all(map(is_word, words)):
        return None
    return list(dict.fromkeys(words))


def is_word(text: str) -> bool:
    """Accepts a scope token (RFC 6749 section 3.3)."""
    return _TOKEN.match(text) is not None


def own_name(word: str) -> str:
    """Returns Portico's name of a scope that has two; other words unchanged."""
    return _OWN_NAMES.get(word, word)


def asks_for(words: Collection[str], scope: str) -> bool:
    """Reports whether the words have a scope for reserved claims, under either of its names."""
    return scope in words or _OTHER_NAMES[scope] in words


def is_their_name(word: str) -> bool:
    return word.startswith(THEIR_PREFIX)


def is_known(word: str) -> bool:
    return (
        word in STANDARD
        or word in _OTHER_NAMES
        or word in _OWN_NAMES
        or any(pattern.match(word) for pattern in (_PROJECT_AUDIENCE, _ORGANIZATION, _IDP))
    )


def may_register_scope(word: str) -> bool:
    """Accepts the words an API may define: scope tokens (RFC 6749 section 3.3) without another meaning here."""
    return len(word) <= MAX_WORD and is_word(word) and not (is_known(word) or is_reserved(word))


def is_reserved(text: str) -> bool:
    """Reports whether no API, claim or resource may have this name: it begins as those of Portico or ZITADEL, in any
    case.
    """
    return text.lower().startswith(_RESERVED)


@lru_cache(maxsize=1_000)
def of_apis(scope: tuple[str, ...]) -> frozenset[str]:
    """Returns the words that only an API can define. Cached, because clients repeat the same few scopes."""
    return frozenset(word for word in scope if not is_known(word))


def reserved_in(scope: Iterable[str]) -> tuple[str, ...]:
    return tuple([word for word in scope if word.startswith(RESERVED_PREFIX)])


def project_audience(project_id: str) -> str:
    """The word that requests the audience of a project."""
    return f"{RESERVED_PREFIX}project:id:{project_id}:aud"


@lru_cache(maxsize=1_000)
def projects_in(scope: tuple[str, ...]) -> Mapping[str, str]:
    """Returns the projects that a scope names, by word. Cached, because clients repeat the same few scopes."""
    found = {word: _PROJECT_AUDIENCE.match(word) for word in scope}
    return {word: match.group(1) for word, match in found.items() if match}


@lru_cache(maxsize=1_000)
def to_be_allowed(scope: tuple[str, ...]) -> tuple[str, ...]:
    """Returns what a user allows, each scope under one name: everything but the words that only direct the sign-in."""
    allowed = (own_name(word) for word in scope if not (_ORGANIZATION.match(word) or _IDP.match(word)))
    return tuple(dict.fromkeys(allowed))


def scopes_of_claims(names: Iterable[str]) -> tuple[str, ...]:
    """Returns the scopes that contain claims about the user; other names, such as `acr`, are in none."""
    wanted = {*names}
    return tuple(scope for scope, claims in CLAIMS_OF_SCOPE.items() if not wanted.isdisjoint(claims))


def organization_in(word: str) -> str | None:
    found = _ORGANIZATION.match(word)
    return found.group(1) if found else None


def provider_in(word: str) -> str | None:
    found = _IDP.match(word)
    return found.group(1) if found else None
