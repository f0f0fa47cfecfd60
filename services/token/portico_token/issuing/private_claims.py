"""The claims about a user that administrators define: those of claim rules (decision 0141) and of token hooks (0149).

Tokens, userinfo and introspection add them before their own claims, and nothing else does: what gives further
private claims belongs here.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from portico_contracts.users import ClaimPlace, ClaimRule, Client, UserClaims, may_add
from portico_runtime.versioned_cache.remembered import BETWEEN

from portico_token.cached_users import CachedUsers
from portico_token.domain.claim_rules import Sources, Wanted, ruled_claims, wanted_by
from portico_token.domain.compiled_rules import NO_RULES, ChosenRules, CompiledRules
from portico_token.domain.grants import Grant
from portico_token.grants.results import GrantResult

_ACCESS: Final = (ClaimPlace.ACCESS_TOKEN,)
_ID: Final = (ClaimPlace.ID_TOKEN,)
_Claims = dict[str, Any]


class PrivateClaims:
    def __init__(self, users: CachedUsers) -> None:
        self._users = users
        self._compiled = CompiledRules()

    async def shown(
        self,
        client: Client,
        person: UserClaims,
        scope: tuple[str, ...],
        *places: ClaimPlace,
        version: str | None = None,
        grant: Grant | None = None,
    ) -> _Claims:
        """The claims that an application has in these places with a scope; `version` is the user's.

        The token hook has given its claims to `grant`; a rule replaces one of the same name.
        """
        given = hook_claims(client, grant, places) if grant is not None and grant.hook is not None else {}
        chosen = self._compiled.rules_for(client, scope, places)
        return given | await self._ruled(chosen, client, person, version) if chosen.rules else given

    async def in_tokens(
        self, granted: GrantResult, person: UserClaims, *, access_token: bool, id_token: bool
    ) -> tuple[_Claims, _Claims]:
        """The claims of an access token and of an id_token."""
        client, grant = granted.client, granted.grant
        of_access = self._compiled.rules_for(client, granted.access_token.scope, _ACCESS) if access_token else NO_RULES
        of_id = self._compiled.rules_for(client, granted.id_token.scope, _ID) if id_token else NO_RULES
        in_access_token: _Claims = {}
        in_id_token: _Claims = {}
        if grant.hook is not None:
            in_access_token = hook_claims(client, grant, _ACCESS) if access_token else {}
            in_id_token = hook_claims(client, grant, _ID) if id_token else {}
        ruled = await self._ruled(of_access, client, person, granted.version) if of_access.rules else {}
        in_access_token |= ruled
        if of_id is not of_access:
            ruled = await self._ruled(of_id, client, person, granted.version) if of_id.rules else {}
        return in_access_token, in_id_token | ruled

    async def _ruled(self, chosen: ChosenRules, client: Client, person: UserClaims, version: str | None) -> _Claims:
        """What rules give: computed once for a version of the user, until something else changes."""
        users, user = self._users, person.user
        if user is None or user.version != version or not version:
            return ruled_claims(chosen.rules, client, await self._load(chosen.wanted, client, person, version))
        key = f"{user.user_id}{BETWEEN}{chosen.number}"
        found = users.ruled.find(key, version)
        if found is None:
            asked = users.ruled.begin()
            person = await users.claims_of(user.user_id, version)  # once more: nothing may be older than `asked`
            sources = await self._load(chosen.wanted, client, person, version)
            found = ruled_claims(chosen.rules, client, sources)
            read = users.asked_at(user.user_id, chosen.wanted.projects, client.project_id)
            users.ruled.keep(key, version, found, asked, *read)
        return found

    async def sources(
        self, rules: Collection[ClaimRule], client: Client, person: UserClaims, version: str | None
    ) -> Sources:
        return await self._load(wanted_by(rules, client), client, person, version)

    async def _load(self, wanted: Wanted, client: Client, person: UserClaims, version: str | None) -> Sources:
        user = person.user
        if user is None:
            return Sources(person)
        groups = None
        if wanted.groups and user.org_id == client.org_id:
            groups = await self._users.groups_of(user, client, version)
        roles = await self._users.roles_of(user.user_id, wanted.projects, version) if wanted.projects else {}
        has_metadata = wanted.metadata and await self._users.are_of_project(user.user_id, client, version)
        return Sources(person, groups, roles, has_metadata)


def hook_claims(client: Client, grant: Grant, places: Collection[ClaimPlace]) -> _Claims:
    """What the present hook of the application gave to a grant of this application.

    Names are compared here once more: the settings of the application may have changed since.
    """
    hook, kept = client.token_hook, grant.hook
    if hook is None or kept is None or kept.hook_id != hook.id or grant.client_id != client.client_id:
        return {}
    taken = (client.roles_claim, client.groups_claim)
    found = (claim for place in places for claim in kept.claims.get(place, {}).items())
    return {name: value for name, value in found if may_add(name, taken)}
