"""The claims about a user that administrators define: those of claim rules (decision 0141) and of token hooks (0149).

Tokens, userinfo and introspection add them before their own claims, and nothing else does: what gives further
private claims belongs here.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from portico_contracts.users import ClaimPlace, ClaimRule, Client, UserClaims, may_add

from portico_token.cached_users import CachedUsers
from portico_token.domain.claim_rules import Sources, ruled_claims, rules_for, wanted_by
from portico_token.domain.grants import Grant


class PrivateClaims:
    def __init__(self, users: CachedUsers) -> None:
        self._users = users

    async def shown(
        self,
        client: Client,
        person: UserClaims,
        scope: Collection[str],
        *places: ClaimPlace,
        version: str | None = None,
        grant: Grant | None = None,
    ) -> dict[str, Any]:
        """The claims that an application has in these places with a scope; `version` is the user's.

        The token hook has given its claims to `grant`; a rule replaces one of the same name.
        """
        given = hook_claims(client, grant, places) if grant is not None and grant.hook is not None else {}
        rules = rules_for(client, scope, *places)
        if not rules:
            return given
        return given | ruled_claims(rules, client, await self.sources(rules, client, person, version))

    async def sources(
        self, rules: Collection[ClaimRule], client: Client, person: UserClaims, version: str | None
    ) -> Sources:
        user = person.user
        if user is None:
            return Sources(person)
        wanted = wanted_by(rules, client)
        groups = None
        if wanted.groups and user.org_id == client.org_id:
            groups = await self._users.groups_of(user, client, version)
        roles = await self._users.roles_of(user.user_id, wanted.projects, version)
        has_metadata = wanted.metadata and await self._users.are_of_project(user.user_id, client, version)
        return Sources(person, groups, roles, has_metadata)


def hook_claims(client: Client, grant: Grant, places: Collection[ClaimPlace]) -> dict[str, Any]:
    """What the present hook of the application gave to a grant of this application.

    Names are compared here once more: the settings of the application may have changed since.
    """
    hook, kept = client.token_hook, grant.hook
    if hook is None or kept is None or kept.hook_id != hook.id or grant.client_id != client.client_id:
        return {}
    taken = (client.roles_claim, client.groups_claim)
    found = (claim for place in places for claim in kept.claims.get(place, {}).items())
    return {name: value for name, value in found if may_add(name, taken)}
