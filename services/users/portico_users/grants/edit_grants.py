"""Grants users roles of projects, changes and revokes such grants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser
from portico_users.grants.grant_search import UserGrant, put_grants
from portico_users.grants.role_grants import GRANT_EXISTS, RoleGrant
from portico_users.journal.command import Command, Commit
from portico_users.projects.changes import refuse_unknown_roles
from portico_users.projects.project import Project
from portico_users.projects.project_grant_changes import refuse_roles_not_granted
from portico_users.projects.project_grants import PROJECT_GRANT_NOT_FOUND, MongoProjectGrants, ProjectGrant
from portico_users.projects.store import PROJECT_NOT_FOUND, MongoProjects
from portico_users.values.problems import at
from portico_users.values.records import NOT_ACTIVE, NOT_INACTIVE, State

USER_OF_OTHERS = ErrorCode(
    "USER-874",
    Kind.INVALID_REQUEST,
    "The project is not granted to the organization of this user.",
    "Name a user of the organization that has the project grant.",
)


@dataclass(frozen=True, slots=True)
class Source:
    """The project whose roles an organization grants; ``received`` is None for its own projects."""

    org_id: str
    project: Project
    received: ProjectGrant | None = None


@dataclass(frozen=True, slots=True)
class GrantRoles(Command):
    commit: Commit

    def plan(self, user_org_id: str, source: Source, role_keys: Sequence[str], *, active: bool = True) -> RoleGrant:
        received = source.received
        if received is None:
            if source.project.org_id != source.org_id:
                raise at("projectId", PROJECT_NOT_FOUND.error())
            refuse_unknown_roles(source.project, role_keys)
        else:
            if user_org_id != received.granted_org_id:
                raise at("userId", USER_OF_OTHERS.error())
            refuse_roles_not_granted(received, role_keys)
        return RoleGrant(
            project_id=source.project.id,
            org_id=source.org_id,
            role_keys=tuple(sorted(set(role_keys))),
            active=active,
            project_grant_id=received.id if received else "",
        )

    async def __call__(self, user: AnyUser, source: Source, role_keys: Sequence[str], *, actor: str) -> UserGrant:
        grant = self.plan(user.org_id, source, role_keys)
        if any((one.project_id, one.org_id) == (grant.project_id, grant.org_id) for one in user.grants):
            raise GRANT_EXISTS.error()
        record: AnyUser = await self.commit(put_grants(user, (*user.grants, grant)), actor=actor)
        return UserGrant(record, grant)


@dataclass(frozen=True, slots=True)
class UpdateUserGrant(Command):
    """Changes, deactivates and reactivates a grant; tokens contain only the roles of active grants."""

    commit: Commit
    grant_roles: GrantRoles
    projects: MongoProjects
    project_grants: MongoProjectGrants

    async def __call__(self, held: UserGrant, role_keys: Sequence[str], *, actor: str) -> AnyUser:
        """Replaces the roles. Raises as `GrantRoles.plan`; USER-043 for too many roles, USER-702 without a change."""
        grant, received = held.grant, None
        project = await self.projects.find(grant.project_id)
        if project is None or project.state is State.DELETED:
            raise PROJECT_NOT_FOUND.error()
        if grant.project_grant_id:
            received = await self.project_grants.find(grant.project_grant_id)
            if received is None or received.state is State.DELETED:
                raise PROJECT_GRANT_NOT_FOUND.error()
        source = Source(grant.org_id, project, received)
        after = self.grant_roles.plan(held.user.org_id, source, role_keys, active=grant.active)
        return await self._replace(held, after, actor)

    async def deactivate(self, held: UserGrant, *, actor: str) -> AnyUser:
        if not held.grant.active:
            raise NOT_ACTIVE.error()
        return await self._replace(held, msgspec.structs.replace(held.grant, active=False), actor)

    async def reactivate(self, held: UserGrant, *, actor: str) -> AnyUser:
        if held.grant.active:
            raise NOT_INACTIVE.error()
        return await self._replace(held, msgspec.structs.replace(held.grant, active=True), actor)

    async def _replace(self, held: UserGrant, after: RoleGrant, actor: str) -> AnyUser:
        user, before = held
        entry = put_grants(user, tuple(after if one == before else one for one in user.grants))
        return await self.commit.change(entry, actor=actor)


@dataclass(frozen=True, slots=True)
class RevokeRoles(Command):
    commit: Commit

    async def __call__(self, held: UserGrant, *, actor: str) -> AnyUser:
        user, grant = held
        return await self.commit(put_grants(user, [one for one in user.grants if one != grant]), actor=actor)
