"""Users as if one of them had other roles: for a preview (decision 0142)."""

from __future__ import annotations

from portico_contracts.users import Client

from portico_token.cached_users import CachedUsers
from portico_token.domain.roles import RolesByProject


class PreviewedRoles(CachedUsers):
    """Shares the caches of `users`; `roles` replace those of one user in the projects that they name."""

    def __init__(self, users: CachedUsers, user_id: str, roles: RolesByProject) -> None:
        vars(self).update(vars(users))
        self._user_id = user_id
        self._previewed = roles

    async def roles_of(self, user_id: str, projects: tuple[str, ...], version: str | None = None) -> RolesByProject:
        found = await super().roles_of(user_id, projects, version)
        if user_id != self._user_id:
            return found
        roles = {project: self._previewed.get(project, found.get(project)) for project in projects}
        return {project: keys for project, keys in roles.items() if keys}

    async def has_project_access(self, user_id: str, client: Client, version: str | None = None) -> bool:
        roles = self._previewed.get(client.project_id)
        if user_id != self._user_id or roles is None:
            return await super().has_project_access(user_id, client, version)
        has_project = not client.checks_project or await self.are_of_project(user_id, client, version)
        return has_project and (bool(roles) or not client.checks_roles)
