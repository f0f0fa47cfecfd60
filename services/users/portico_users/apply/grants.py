"""Reads the role grants of a user against the projects of its organization."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portico_contracts import apply as document
from portico_oauth.errors import Fact, Kind

from portico_users.apply.finding import Stored
from portico_users.domain.names import canonical
from portico_users.domain.problems import at
from portico_users.domain.role_grants import RoleGrant, with_grants
from portico_users.journal.journal import NAME_TAKEN
from portico_users.orgs.org import Org
from portico_users.projects.project import Project
from portico_users.projects.role_changes import refuse_unknown_roles

PROJECT_UNKNOWN = Fact(
    "USER-041",
    Kind.ABSENT,
    "There is no such project in this organization.",
    "Name a project of the same organization by its id or its name.",
)


@dataclass(frozen=True, slots=True)
class PlannedOrg:
    """An organization as it will be.

    Args:
        projects: those the document names; others may be stored.
    """

    org: Org
    projects: tuple[Project, ...]


async def plan_grants(
    stored: Stored, home: PlannedOrg, before: Sequence[RoleGrant], wanted: Sequence[document.RoleGrant], path: str
) -> tuple[RoleGrant, ...]:
    """All grants the user will have: exactly the wanted roles in each project that is named.

    Args:
        before: the grants the user has.
        path: place of the user in the document.

    Raises:
        Refusal: USER-041 for an unknown project, USER-042 for a role it does not have, USER-011 for a project
            that is named twice; each with its place.
    """
    grants: dict[str, RoleGrant] = {}
    for number, grant in enumerate(wanted):
        place = f"{path}.grants[{number}]"
        project = await _find_project(stored, home, grant.project)
        if project is None:
            raise at(f"{place}.project", PROJECT_UNKNOWN.refusal())
        if project.id in grants:
            raise at(f"{place}.project", NAME_TAKEN.refusal())
        refuse_unknown_roles(project, grant.role_keys, f"{place}.")
        grants[project.id] = RoleGrant(project_id=project.id, org_id=home.org.id, role_keys=grant.role_keys)
    return with_grants(before, grants.values())


async def _find_project(stored: Stored, home: PlannedOrg, named: str) -> Project | None:
    """By id, then by name; as the document will have made it. Another organization's project is unknown."""
    for project in home.projects:
        if project.id == named:
            return project
    found = await stored.projects.find(named)
    if found is not None and found.org_id == home.org.id:
        return found
    for project in home.projects:
        if canonical(project.name) == canonical(named):
            return project
    found = await stored.projects.find_by_name(home.org.id, named)
    # A project of the document was compared by its new name already.
    return None if found is None or found.id in {project.id for project in home.projects} else found
