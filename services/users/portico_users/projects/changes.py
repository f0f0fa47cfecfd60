"""Changes of projects and their roles, as entries for the journal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.projects.claim_rules import problems_of_rules
from portico_users.projects.project import Project, ProjectRole, with_roles
from portico_users.projects.store import PROJECTS
from portico_users.storage.entry import Entry
from portico_users.values.names import INVALID_NAME, is_key, is_name
from portico_users.values.problems import Problem, Problems, at, refuse_first
from portico_users.values.records import State

MAX_ROLES: Final = 1_000
"""Limited, because roles are read with the project."""

TOO_MANY_ROLES = ErrorCode(
    "USER-044", Kind.INVALID_REQUEST, "This project has too many roles.", "Keep at most 1000 roles in one project."
)


def problems_of(project: Project) -> Problems:
    if not is_name(project.name):
        yield Problem("name", INVALID_NAME)
    if len(project.roles) > MAX_ROLES:
        yield Problem("roles", TOO_MANY_ROLES)
    yield from problems_of_rules(project.claim_rules)


def problems_of_role(role: ProjectRole) -> Problems:
    if not is_key(role.key):
        yield Problem("roleKey", INVALID_NAME)
    for place, text in (("displayName", role.display_name), ("group", role.group)):
        if text and not is_name(text):
            yield Problem(place, INVALID_NAME)


def put_project(before: Project | None, after: Project) -> Entry[Project]:
    refuse_first(problems_of(after))
    return Entry(PROJECTS, before, after)


def remove_project(before: Project) -> Entry[Project]:
    """Removes the project with its applications, its grants and the users' roles."""
    return Entry(PROJECTS, before, msgspec.structs.replace(before, state=State.DELETED))


ROLE_EXISTS = ErrorCode(
    "USER-703", Kind.ALREADY_EXISTS, "The project already has this role.", "Use another key, or update the role."
)
ROLE_NOT_FOUND = ErrorCode("USER-704", Kind.NOT_FOUND, "The project has no such role.", "Check the key of the role.")

ROLE_KEY_UNKNOWN = ErrorCode(
    "USER-042",
    Kind.INVALID_REQUEST,
    "The project has no such role.",
    "Add the role to the project, or use one of its roles.",
)


def with_new_roles(project: Project, roles: Sequence[ProjectRole], path: str) -> Project:
    known = {role.key for role in project.roles}
    for number, role in enumerate(roles):
        place = path.format(number=number)
        refuse_first(problems_of_role(role), place)
        if role.key in known:
            raise at(place, ROLE_EXISTS.error())
        known.add(role.key)
    return msgspec.structs.replace(project, roles=with_roles(project.roles, roles))


def with_changed_role(project: Project, role: ProjectRole) -> Project:
    _require(project, role.key)
    refuse_first(problems_of_role(role))
    return msgspec.structs.replace(project, roles=with_roles(project.roles, (role,)))


def without_role(project: Project, key: str) -> Project:
    _require(project, key)
    return msgspec.structs.replace(project, roles=tuple(role for role in project.roles if role.key != key))


def refuse_unknown_roles(project: Project, role_keys: Sequence[str]) -> None:
    known = {role.key for role in project.roles}
    for number, key in enumerate(role_keys):
        if key not in known:
            raise at(f"roleKeys[{number}]", ROLE_KEY_UNKNOWN.error())


def _require(project: Project, key: str) -> None:
    if all(role.key != key for role in project.roles):
        raise ROLE_NOT_FOUND.error()
