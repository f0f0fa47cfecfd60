"""Plans projects, with their roles and applications."""

from __future__ import annotations

import msgspec
from portico_contracts import apply as document

from portico_users.bulk.apply.apps import plan_app
from portico_users.bulk.apply.finding import Wanted, find_existing
from portico_users.bulk.apply.narrowing import add_in_steps
from portico_users.bulk.apply.plan import Plan, PlannedOrg, PlannedProject
from portico_users.bulk.apply.step import Subject
from portico_users.directory.organizations.org import Org
from portico_users.directory.projects.changes import problems_of_role, put_project
from portico_users.directory.projects.project import Project, ProjectRole, with_roles
from portico_users.kernel.problems import refuse_first
from portico_users.kernel.records import State


async def plan_project(plan: Plan, home: PlannedOrg, wanted: document.Project, path: str) -> None:
    """Adds the steps that bring a project and its applications to what is wanted.

    Raises:
        ServiceError: naming the place, when it may not be so.
    """
    stored, org = plan.stored, home.org
    named = await stored.projects.find_by_name(org.id, wanted.name)
    question = Wanted(path, wanted.id, "name", lambda it: _is_there(it, org), stored.projects.find, named)
    before = await find_existing(stored.ids, question)
    after = msgspec.structs.replace(
        before or Project(id=wanted.id or await plan.new_id(path), org_id=org.id, name=wanted.name),
        name=wanted.name,
        project_role_assertion=wanted.project_role_assertion,
        project_role_check=wanted.project_role_check,
        has_project_check=wanted.has_project_check,
        roles=_roles(plan, before, wanted, path),
    )
    if wanted.state is not None:
        after = msgspec.structs.replace(after, state=State(wanted.state.value))
    entry = put_project(before, after, path=path)
    wider = msgspec.structs.replace(after, roles=with_roles(before.roles if before else (), after.roles))
    add_in_steps(plan, Subject("project", path, after.name), entry, wider, plan.narrowed_projects)
    home.projects.append(PlannedProject(after, wanted, path))
    for number, app in enumerate(wanted.oidc_apps or ()):
        plan.add(*await plan_app(plan, after, app, f"{path}.oidcApps[{number}]"))
    for number, api_app in enumerate(wanted.api_apps or ()):
        plan.add(*await plan_app(plan, after, api_app, f"{path}.apiApps[{number}]"))


def _is_there(project: Project, org: Org) -> bool:
    return project.org_id == org.id and project.state is not State.DELETED


def _roles(plan: Plan, before: Project | None, wanted: document.Project, path: str) -> tuple[ProjectRole, ...]:
    roles = []
    for number, role in enumerate(wanted.roles or ()):
        roles.append(ProjectRole(key=role.role_key, display_name=role.display_name, group=role.group))
        refuse_first(problems_of_role(roles[-1]), f"{path}.roles[{number}]")
    drops = plan.prune and wanted.roles is not None
    return with_roles(before.roles if before and not drops else (), roles)
