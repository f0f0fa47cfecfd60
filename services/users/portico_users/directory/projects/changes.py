"""Changes of projects, as entries for the journal."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.directory.projects.project import Project, ProjectRole
from portico_users.directory.projects.store import PROJECTS
from portico_users.kernel.entry import Entry
from portico_users.kernel.names import INVALID_NAME, is_key, is_name
from portico_users.kernel.problems import Problem, Problems, refuse_first
from portico_users.kernel.records import State

MAX_ROLES: Final = 1_000
"""They are read with the project."""

TOO_MANY_ROLES = ErrorCode(
    "USER-044", Kind.INVALID_REQUEST, "This project has too many roles.", "Keep at most 1000 roles in one project."
)


def problems_of(project: Project) -> Problems:
    """Everything wrong with it, by the members of the document."""
    if not is_name(project.name):
        yield Problem("name", INVALID_NAME)
    if len(project.roles) > MAX_ROLES:
        yield Problem("roles", TOO_MANY_ROLES)


def problems_of_role(role: ProjectRole) -> Problems:
    """Everything wrong with one role, by the members of the document."""
    if not is_key(role.key):
        yield Problem("roleKey", INVALID_NAME)
    for place, text in (("displayName", role.display_name), ("group", role.group)):
        if text and not is_name(text):
            yield Problem(place, INVALID_NAME)


def put_project(before: Project | None, after: Project) -> Entry[Project]:
    """Creates a project, or changes it.

    Raises:
        ServiceError: what `problems_of` finds.
    """
    refuse_first(problems_of(after), "")
    return Entry(PROJECTS, before, after)


def remove_project(before: Project) -> Entry[Project]:
    """Removes it for good, with its grants and the roles users have in it. Its applications are unknown from then on, for
    nothing finds them but through it.
    """
    return Entry(PROJECTS, before, msgspec.structs.replace(before, state=State.DELETED))
