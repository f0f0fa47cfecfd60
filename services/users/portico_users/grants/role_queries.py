from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import CheckProjectAccess, GetGroups, GetRoles, Groups, ProjectAccess, Roles

from portico_users.accounts.account import AnyUser, active_account
from portico_users.accounts.store import MongoAccounts
from portico_users.grants.role_grants import RoleGrant
from portico_users.groups.inherited import Memberships, given_by
from portico_users.identity_providers.endings import Endings
from portico_users.journal.command import repeat_overtaken
from portico_users.organizations.org import MongoOrgs
from portico_users.projects.project import Project
from portico_users.projects.project_grants import MongoProjectGrants, ProjectGrant
from portico_users.projects.store import ActiveProjects
from portico_users.values.names import MAX_LENGTH
from portico_users.values.records import State, version_of


@dataclass(frozen=True, slots=True)
class RoleQueries:
    accounts: MongoAccounts
    orgs: MongoOrgs
    projects: ActiveProjects
    project_grants: MongoProjectGrants
    memberships: Memberships
    endings: Endings

    async def get_roles(self, ask: GetRoles) -> Roles:
        """Returns the granting organizations by project and role; only active ones, through effective grants."""
        return await repeat_overtaken(lambda: self._roles(ask))

    async def _roles(self, ask: GetRoles) -> Roles:
        user = await self._find_active(ask.user_id)
        if user is None:
            return Roles(roles={})
        given = (*user.grants, *given_by(await self.memberships.at_one_time(user)))
        grants = [grant for grant in given if grant.active and grant.project_id in ask.project_ids]
        in_force = await self.project_grants.list_in_force(grant.project_grant_id for grant in grants)
        owned = await self.projects.list_of(grant.project_id for grant in grants)
        role_keys = {project.id: {role.key for role in project.roles} for project, _org in owned}
        givers = await self.orgs.list_active(grant.org_id for grant in grants)
        domains = {org.id: org.primary_domain for org in givers}
        roles: dict[str, dict[str, dict[str, str]]] = {}
        for grant in grants:
            if grant.org_id in domains:
                effective = _given(grant, in_force.get(grant.project_grant_id))
                for key in role_keys.get(grant.project_id, set()).intersection(effective):
                    by_key = roles.setdefault(grant.project_id, {})
                    by_key.setdefault(key, {})[grant.org_id] = domains[grant.org_id]
        return Roles(roles=roles, version=version_of(user))

    async def get_groups(self, ask: GetGroups) -> Groups:
        return await repeat_overtaken(lambda: self._groups(ask))

    async def _groups(self, ask: GetGroups) -> Groups:
        user = await self._find_active(ask.user_id)
        if user is None:
            return Groups()
        names = sorted(one.group.name for one in await self.memberships.at_one_time(user))
        return Groups(names=tuple(names), version=version_of(user))

    async def get_admission(self, ask: CheckProjectAccess) -> ProjectAccess:
        """Reports whether the user has an effective role, and the organization owns or was granted the project."""
        account = await self.accounts.find_active(ask.user_id)
        owned = await self.projects.list_of((ask.project_id,)) if account else []
        if account is None:
            return ProjectAccess()
        version = version_of(account.user)
        if not owned:
            return ProjectAccess(version=version)
        ((project, _owner),) = owned
        roles = await self.get_roles(GetRoles(user_id=account.user.id, project_ids=(project.id,)))
        has_project = await self._has(account.org.id, project)
        return ProjectAccess(has_role=bool(roles.roles), has_project=has_project, version=version)

    async def _has(self, org_id: str, project: Project) -> bool:
        if project.org_id == org_id:
            return True
        grant = await self.project_grants.find_of(project.id, org_id)
        return grant is not None and grant.state is State.ACTIVE

    async def _find_active(self, user_id: str) -> AnyUser | None:
        user = await self.accounts.find_granted(user_id[: MAX_LENGTH + 1])
        account = active_account(user, await self.orgs.find(user.org_id)) if user else None
        return await self.endings.in_force(account.user) if account else None


def _given(grant: RoleGrant, by: ProjectGrant | None) -> tuple[str, ...]:
    if not grant.project_grant_id:
        return grant.role_keys
    if by is None or (by.project_id, by.granted_org_id) != (grant.project_id, grant.org_id):
        return ()
    return tuple(key for key in grant.role_keys if key in by.role_keys)
