"""The roles that a scope of an API may name: those of its project (decision 0142)."""

from __future__ import annotations

from dataclasses import dataclass

from portico_users.applications.app_record import App
from portico_users.journal.command import Command
from portico_users.projects.changes import ROLE_KEY_UNKNOWN
from portico_users.projects.project import Project
from portico_users.projects.store import MongoProjects
from portico_users.values.problems import at


@dataclass(frozen=True, slots=True)
class ScopeRoles(Command):
    projects: MongoProjects

    async def require(self, before: App | None, after: App, project: Project | None = None) -> None:
        """Raises USER-042 for a role that the change adds and the project lacks; `project` is planned with it.

        A role that was removed from the project stays in its scopes, so that they are not suddenly for everybody.
        """
        stored = {key for scope in before.scopes for key in scope.roles} if before else set()
        added = [
            (f"scopes[{number}].roles[{place}]", key)
            for number, scope in enumerate(after.scopes)
            for place, key in enumerate(scope.roles)
            if key not in stored
        ]
        if not added:
            return
        project = project or await self.projects.find(after.project_id)
        known = {role.key for role in project.roles} if project else set()
        for place, key in added:
            if key not in known:
                raise at(place, ROLE_KEY_UNKNOWN.error())
