"""Applies claim rules (decision 0141): which claims they give about a user, and why others are left out."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from portico_contracts.users import (
    ClaimPlace,
    ClaimRule,
    ClaimSource,
    Client,
    NotGiven,
    UserClaims,
    may_have_rule,
    written_as,
)
from portico_oauth.scopes import own_name

from portico_token.domain.roles import RolesByProject


class Sources(NamedTuple):
    """What rules read of a user; `groups` and `has_metadata` as the application may see them."""

    person: UserClaims
    groups: tuple[str, ...] | None = None
    roles: RolesByProject = {}
    has_metadata: bool = False


class Wanted(NamedTuple):
    """What has to be loaded for rules."""

    groups: bool
    metadata: bool
    projects: tuple[str, ...]


def rules_for(client: Client, scope: Collection[str], *places: ClaimPlace) -> tuple[ClaimRule, ...]:
    return tuple([rule for rule in client.claim_rules if left_out(rule, client, scope, places) is None])


def left_out(
    rule: ClaimRule, client: Client, scope: Collection[str], places: Collection[ClaimPlace]
) -> NotGiven | None:
    """Names are compared here once more, although no such rule can be saved: settings may have changed since."""
    taken = rule.claim in (client.roles_claim, client.groups_claim)
    if taken or not may_have_rule(rule.claim, rule.source, rule.key):
        return NotGiven.RESERVED
    if not any(place in rule.places for place in places):
        return NotGiven.ANOTHER_PLACE
    if rule.scope and rule.scope not in scope and rule.scope not in map(own_name, scope):
        return NotGiven.SCOPE
    return None


def wanted_by(rules: Iterable[ClaimRule], client: Client) -> Wanted:
    found = tuple(rules)
    sources = {rule.source for rule in found}
    projects = (rule.key or client.project_id for rule in found if rule.source is ClaimSource.ROLES)
    return Wanted(ClaimSource.GROUPS in sources, ClaimSource.METADATA in sources, tuple(dict.fromkeys(projects)))


def ruled_claims(rules: Iterable[ClaimRule], client: Client, sources: Sources) -> dict[str, Any]:
    found = {rule.claim: value_of(rule, client, sources) for rule in rules}
    return {name: value for name, value in found.items() if not isinstance(value, NotGiven)}


def value_of(rule: ClaimRule, client: Client, sources: Sources) -> Any:
    """The value of the claim, or `NotGiven`."""
    value = _READ[rule.source](rule, client, sources)
    return NotGiven.NO_VALUE if value is None or value == "" else value


def _fixed(rule: ClaimRule, _client: Client, _sources: Sources) -> Any:
    return written_as(rule.format, rule.value)


def _metadata(rule: ClaimRule, _client: Client, sources: Sources) -> Any:
    if not sources.has_metadata:
        return NotGiven.ANOTHER_ORGANIZATION
    stored = sources.person.metadata.get(rule.key)
    if stored is None:
        return None
    try:
        return written_as(rule.format, base64.urlsafe_b64decode(f"{stored}==").decode())
    except ValueError:
        return None


_VERIFIED: Final = {"email": "email_verified", "phone_number": "phone_number_verified"}


def _attribute(rule: ClaimRule, _client: Client, sources: Sources) -> Any:
    claims, user = sources.person.claims, sources.person.user
    if user is not None and rule.key in ("user_name", "login_name"):
        return user.user_name if rule.key == "user_name" else user.login_name
    value = claims.get(rule.key)
    if value and rule.key in _VERIFIED and claims.get(_VERIFIED[rule.key]) is not True:
        return NotGiven.NOT_VERIFIED
    return value


def _groups(rule: ClaimRule, _client: Client, sources: Sources) -> Any:
    if sources.groups is None:
        return NotGiven.ANOTHER_ORGANIZATION
    wanted = rule.groups
    return [name for name in sources.groups if name.startswith(rule.key) and (not wanted or name in wanted)]


def _roles(rule: ClaimRule, client: Client, sources: Sources) -> Any:
    return sorted(sources.roles.get(rule.key or client.project_id, {}))


def _organization(rule: ClaimRule, _client: Client, sources: Sources) -> Any:
    person = sources.person
    own = {"id": person.user.org_id if person.user else "", "name": person.org_name, "domain": person.org_domain}
    return own.get(rule.key)


_READ: Final[Mapping[ClaimSource, Callable[[ClaimRule, Client, Sources], Any]]] = {
    ClaimSource.FIXED: _fixed,
    ClaimSource.METADATA: _metadata,
    ClaimSource.ATTRIBUTE: _attribute,
    ClaimSource.GROUPS: _groups,
    ClaimSource.ROLES: _roles,
    ClaimSource.ORGANIZATION: _organization,
}
