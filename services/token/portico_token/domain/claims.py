"""Selects claims about a user by scope, and by the `claims` parameter (OIDC Core sections 5.4 and 5.5)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
from portico_contracts.users import UserClaims
from portico_oauth.scopes import (
    CLAIMS_OF_SCOPE,
    METADATA,
    RESOURCE_OWNER,
    asks_for,
    organization_in,
    own_name,
    scopes_of_claims,
)

_KNOWN: Final = frozenset(name for names in CLAIMS_OF_SCOPE.values() for name in names)


class RequestedClaims(NamedTuple):
    userinfo: tuple[str, ...]
    id_token: tuple[str, ...]

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes that contain them: the user allows these (OIDC Core section 3.1.2.4)."""
        return scopes_of_claims((*self.userinfo, *self.id_token))


class _ClaimsParameter(msgspec.Struct):
    userinfo: dict[str, Any] | None = None
    id_token: dict[str, Any] | None = None


def requested_claims(parameter: str) -> RequestedClaims:
    if not parameter:
        return RequestedClaims((), ())
    requested = msgspec.json.decode(parameter, type=_ClaimsParameter)
    return RequestedClaims(_known(requested.userinfo), _known(requested.id_token))


def user_claims(person: UserClaims, scope: Iterable[str], names: Iterable[str]) -> dict[str, Any]:
    """Uses only names of our own tables, so that stored user data cannot set a protocol claim (JW-20)."""
    requested = _requested_by(tuple(scope))
    claims: dict[str, Any] = {name: person.claims[name] for name in (*requested.names, *names) if name in person.claims}
    if requested.reserved:
        claims |= reserved_claims(person, requested.reserved)
    return claims


def reserved_claims(person: UserClaims, words: tuple[str, ...]) -> dict[str, Any]:
    claims: dict[str, Any] = {}
    if asks_for(words, METADATA) and person.metadata:
        claims[METADATA] = person.metadata
    if person.user and (asks_for(words, RESOURCE_OWNER) or any(organization_in(word) for word in words)):
        owner = {"id": person.user.org_id, "name": person.org_name, "primary_domain": person.org_domain}
        claims |= {f"{RESOURCE_OWNER}:{name}": value for name, value in owner.items() if value}
    return claims


class _Requested(NamedTuple):
    names: tuple[str, ...]
    reserved: tuple[str, ...]


@lru_cache(maxsize=1024)
def _requested_by(words: tuple[str, ...]) -> _Requested:
    names = tuple(dict.fromkeys(name for word in words for name in CLAIMS_OF_SCOPE.get(word, ())))
    return _Requested(names, words if requests_reserved_claims(words) else ())


def requests_reserved_claims(words: tuple[str, ...]) -> bool:
    return any(own_name(word) in (METADATA, RESOURCE_OWNER) or organization_in(word) for word in words)


def _known(requested: dict[str, Any] | None) -> tuple[str, ...]:
    return tuple(name for name in requested or () if name in _KNOWN)
