"""Which claims about a person an answer holds: by scope, and by the `claims` parameter (OIDC Core §5.4, §5.5)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
from portico_contracts.users import UserClaims
from portico_oauth.scopes import CLAIMS_OF_SCOPE, METADATA, RESOURCE_OWNER, organization_in

_KNOWN: Final = frozenset(name for names in CLAIMS_OF_SCOPE.values() for name in names)


class RequestedClaims(NamedTuple):
    """Names of known claims that were requested one by one, per place of delivery."""

    userinfo: tuple[str, ...]
    id_token: tuple[str, ...]


class _ClaimsParameter(msgspec.Struct):
    userinfo: dict[str, Any] | None = None
    id_token: dict[str, Any] | None = None


def requested_claims(parameter: str) -> RequestedClaims:
    """The claims requested by the parameter `claims`; authz has checked its form. Unknown claims are ignored."""
    if not parameter:
        return RequestedClaims((), ())
    requested = msgspec.json.decode(parameter, type=_ClaimsParameter)
    return RequestedClaims(_known(requested.userinfo), _known(requested.id_token))


def person_claims(person: UserClaims, scope: Iterable[str], names: Iterable[str]) -> dict[str, Any]:
    """The claims about a user that a scope and single names request.

    Only names of our own tables are ever taken, so nothing a person or an administrator stored can set a
    protocol claim (JW-20). Unknown values are absent.
    """
    requested = _requested_by(tuple(scope))
    claims: dict[str, Any] = {name: person.claims[name] for name in (*requested.names, *names) if name in person.claims}
    if requested.reserved:
        claims |= reserved_claims(person, requested.reserved)
    return claims


def reserved_claims(person: UserClaims, words: tuple[str, ...]) -> dict[str, Any]:
    """The claims of the reserved scopes, which JWT access tokens carry too: metadata and resource owner."""
    claims: dict[str, Any] = {}
    if METADATA in words and person.metadata:
        claims[METADATA] = person.metadata
    if person.user and (RESOURCE_OWNER in words or any(organization_in(word) for word in words)):
        owner = {"id": person.user.org_id, "name": person.org_name, "primary_domain": person.org_domain}
        claims |= {f"{RESOURCE_OWNER}:{name}": value for name, value in owner.items() if value}
    return claims


class _Requested(NamedTuple):
    names: tuple[str, ...]
    reserved: tuple[str, ...]


@lru_cache(maxsize=1024)
def _requested_by(words: tuple[str, ...]) -> _Requested:
    """The claims a scope requests; there are few scopes, and each comes with every request."""
    names = tuple(dict.fromkeys(name for word in words for name in CLAIMS_OF_SCOPE.get(word, ())))
    return _Requested(names, words if requests_reserved_claims(words) else ())


def requests_reserved_claims(words: tuple[str, ...]) -> bool:
    """A scope requests one of the `reserved_claims`."""
    return any(word in (METADATA, RESOURCE_OWNER) or organization_in(word) for word in words)


def _known(requested: dict[str, Any] | None) -> tuple[str, ...]:
    return tuple(name for name in requested or () if name in _KNOWN)
