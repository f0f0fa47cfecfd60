"""Plans projects, with their roles."""

from __future__ import annotations

import msgspec
from portico_contracts import apply as document

from portico_users.apply.finding import Stored, Wanted, find_existing
from portico_users.apply.step import Step, Subject, step_of
from portico_users.domain.problems import refuse_first
from portico_users.domain.records import State
from portico_users.orgs.org import Org
from portico_users.projects.commands import problems_of_role, put_project
from portico_users.projects.project import Project, ProjectRole, with_roles


async def plan_project(stored: Stored, org: Org, wanted: document.Project, path: str) -> tuple[Project, Step]:
    """The project as it will be, and the step that brings it there.

    Raises:
        Refusal: naming the place, when it may not be so.
    """
    named = await stored.projects.find_by_name(org.id, wanted.name)
    question = Wanted(path, wanted.id, "name", lambda it: _is_there(it, org), stored.projects.find, named)
    before = await find_existing(stored.ids, question)
    after = msgspec.structs.replace(
        before or Project(id=wanted.id or stored.new_id(), org_id=org.id, name=wanted.name),
        name=wanted.name,
        project_role_assertion=wanted.project_role_assertion,
        roles=with_roles(before.roles if before else (), _roles(wanted, path)),
    )
    return after, step_of(Subject("project", path, after.name), put_project(before, after, path=path))


def _is_there(project: Project, org: Org) -> bool:
    return project.org_id == org.id and project.state is not State.DELETED


def _roles(wanted: document.Project, path: str) -> list[ProjectRole]:
    roles = []
    for number, role in enumerate(wanted.roles):
        roles.append(ProjectRole(key=role.role_key, display_name=role.display_name, group=role.group))
        refuse_first(problems_of_role(roles[-1]), f"{path}.roles[{number}]")
    return roles
