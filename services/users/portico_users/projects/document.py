from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_contracts import apply as document

from portico_users.applications.document import AppPlanner
from portico_users.documents.finding import Wanted, find_existing
from portico_users.documents.plan import Plan, PlannedOrg, PlannedProject
from portico_users.documents.step import Subject
from portico_users.organizations.org import Org
from portico_users.projects.commands import AddProject, UpdateProject, WantedRoles
from portico_users.projects.grant_document import add_in_steps
from portico_users.projects.project import PROJECT_FIELDS, ROLE_FIELDS, Project, with_roles
from portico_users.projects.store import MongoProjects
from portico_users.storage.schema import IdSpace
from portico_users.values.fields import DeclaredValues
from portico_users.values.problems import below
from portico_users.values.records import State


@dataclass(frozen=True, slots=True)
class ProjectPlanner:
    app_planner: AppPlanner
    projects: MongoProjects
    ids: IdSpace
    add_project: AddProject
    update_project: UpdateProject

    async def plan_project(self, plan: Plan, home: PlannedOrg, wanted: document.Project, path: str) -> None:
        org = home.org
        named = await self.projects.find_by_name(org.id, wanted.name)
        question = Wanted(path, wanted.id, "name", lambda it: _is_there(it, org), self.projects.find, named)
        before = await find_existing(self.ids, question)
        project = before or Project(id=wanted.id or await plan.new_id(path), org_id=org.id, name=wanted.name)
        after = PROJECT_FIELDS.changed(project, DeclaredValues(wanted, optional_only=plan.keeps(before)))
        roles = _wanted_roles(wanted, exact=plan.prune)
        with below(path):
            if before is None:
                entry = self.add_project.plan(after, roles=roles)
            else:
                entry = self.update_project.plan(before, after, roles=roles)
        after = entry.after
        wider = msgspec.structs.replace(after, roles=with_roles(before.roles if before else (), after.roles))
        add_in_steps(plan, Subject("project", path, after.name), entry, wider, plan.narrowed_projects)
        home.projects.append(PlannedProject(after, wanted, path))
        for number, app in enumerate(wanted.oidc_apps or ()):
            plan.add(*await self.app_planner.plan_app(plan, after, app, f"{path}.oidcApps[{number}]"))
        for number, api_app in enumerate(wanted.api_apps or ()):
            plan.add(*await self.app_planner.plan_app(plan, after, api_app, f"{path}.apiApps[{number}]"))


def _is_there(project: Project, org: Org) -> bool:
    return project.org_id == org.id and project.state is not State.DELETED


def _wanted_roles(wanted: document.Project, *, exact: bool) -> WantedRoles | None:
    if wanted.roles is None:
        return None
    return WantedRoles([ROLE_FIELDS.new(DeclaredValues(role)) for role in wanted.roles], exact)
