"""What token asks about the roles of users."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import AskRoles, Roles

from portico_users.accounts.account import active_account
from portico_users.accounts.store import MongoAccounts
from portico_users.domain.names import MAX_LENGTH
from portico_users.domain.role_grants import RoleGrant
from portico_users.orgs.store import MongoOrgs
from portico_users.projects.queries import ActiveProjects


@dataclass(frozen=True, slots=True)
class RoleQueries:
    """Answers `GET_ROLES`."""

    accounts: MongoAccounts
    orgs: MongoOrgs
    projects: ActiveProjects

    async def get_roles(self, ask: AskRoles) -> Roles:
        """By active project and role key: the active organizations that gave the role to the active user."""
        grants = [
            grant
            for grant in await self._grants_of(ask.user_id)
            if grant.active and grant.project_id in ask.project_ids
        ]
        owned = await self.projects.list_of(grant.project_id for grant in grants)
        role_keys = {project.id: {role.key for role in project.roles} for project, _org in owned}
        givers = await self.orgs.list_active(grant.org_id for grant in grants)
        domains = {org.id: org.primary_domain for org in givers}
        roles: dict[str, dict[str, dict[str, str]]] = {}
        for grant in grants:
            if grant.org_id in domains:
                for key in role_keys.get(grant.project_id, set()).intersection(grant.role_keys):
                    by_key = roles.setdefault(grant.project_id, {})
                    by_key.setdefault(key, {})[grant.org_id] = domains[grant.org_id]
        return Roles(roles=roles)

    async def _grants_of(self, user_id: str) -> tuple[RoleGrant, ...]:
        user = await self.accounts.find_granted(user_id[: MAX_LENGTH + 1])
        account = active_account(user, await self.orgs.find(user.org_id)) if user else None
        return account.user.grants if account else ()
