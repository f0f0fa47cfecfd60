"""The claims about a user that administrators define: those of claim rules (decision 0141).

Tokens, userinfo and introspection add them before their own claims, and nothing else does: what gives further
private claims belongs here.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from portico_contracts.users import ClaimPlace, ClaimRule, Client, UserClaims

from portico_token.cached_users import CachedUsers
from portico_token.domain.claim_rules import Sources, ruled_claims, rules_for, wanted_by


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
    ) -> dict[str, Any]:
        """The claims that an application has in these places with a scope; `version` is the user's."""
        rules = rules_for(client, scope, *places)
        if not rules:
            return {}
        return ruled_claims(rules, client, await self.sources(rules, client, person, version))

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
