from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.projects.changes import refuse_unknown_roles
from portico_users.projects.project import Project
from portico_users.projects.project_grants import PROJECT_GRANTS, ProjectGrant
from portico_users.storage.entry import Entry
from portico_users.values.problems import at
from portico_users.values.records import State

OWN_ORGANIZATION = ErrorCode(
    "USER-872",
    Kind.INVALID_REQUEST,
    "The project belongs to this organization.",
    "Grant its users roles without a project grant, or choose another organization.",
)
ROLE_NOT_GRANTED = ErrorCode(
    "USER-873",
    Kind.INVALID_REQUEST,
    "The organization was not granted this role.",
    "Use a role of the project grant, or ask the owner of the project to grant it.",
)


def put_project_grant(before: ProjectGrant | None, after: ProjectGrant, project: Project) -> Entry[ProjectGrant]:
    """Creates or changes a grant; users lose removed roles."""
    if after.granted_org_id == project.org_id:
        raise at("grantedOrgId", OWN_ORGANIZATION.error())
    refuse_unknown_roles(project, after.role_keys)
    keys = tuple(sorted(set(after.role_keys)))
    return Entry(PROJECT_GRANTS, before, msgspec.structs.replace(after, role_keys=keys))


def without_roles(before: ProjectGrant, keys: Collection[str]) -> Entry[ProjectGrant]:
    left = tuple(key for key in before.role_keys if key not in keys)
    return Entry(PROJECT_GRANTS, before, msgspec.structs.replace(before, role_keys=left))


def remove_project_grant(before: ProjectGrant) -> Entry[ProjectGrant]:
    """Removes the grant with its members and the roles granted through it."""
    return Entry(PROJECT_GRANTS, before, msgspec.structs.replace(before, state=State.DELETED, role_keys=()))


def refuse_roles_not_granted(grant: ProjectGrant, role_keys: Sequence[str]) -> None:
    for number, key in enumerate(role_keys):
        if key not in grant.role_keys:
            raise at(f"roleKeys[{number}]", ROLE_NOT_GRANTED.error())
