"""The membership roles and where each may be held; `permissions` lists what each of them may do."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from portico_oauth.errors import ErrorCode, Kind

INVALID_ROLE = ErrorCode(
    "USER-040",
    Kind.INVALID_REQUEST,
    "Unknown role.",
    "Use a role that exists for the instance, for organizations or for projects.",
)


class Scope(StrEnum):
    """What a membership is about."""

    INSTANCE = "instance"
    ORGANIZATION = "organization"
    PROJECT = "project"
    PROJECT_GRANT = "project_grant"


INSTANCE_OWNER: Final = "IAM_OWNER"
"""The role of the administrators of the instance, who may do everything."""

ROLES: Final[dict[str, Scope]] = {
    INSTANCE_OWNER: Scope.INSTANCE,
    "IAM_OWNER_VIEWER": Scope.INSTANCE,
    "IAM_ORG_MANAGER": Scope.INSTANCE,
    "IAM_USER_MANAGER": Scope.INSTANCE,
    "IAM_LOGIN_CLIENT": Scope.INSTANCE,
    "ORG_OWNER": Scope.ORGANIZATION,
    "ORG_OWNER_VIEWER": Scope.ORGANIZATION,
    "ORG_USER_MANAGER": Scope.ORGANIZATION,
    "ORG_SETTINGS_MANAGER": Scope.ORGANIZATION,
    "ORG_USER_PERMISSION_EDITOR": Scope.ORGANIZATION,
    "ORG_PROJECT_PERMISSION_EDITOR": Scope.ORGANIZATION,
    "ORG_PROJECT_CREATOR": Scope.ORGANIZATION,
    "ORG_USER_SELF_MANAGER": Scope.ORGANIZATION,
    "PROJECT_OWNER": Scope.PROJECT,
    "PROJECT_OWNER_VIEWER": Scope.PROJECT,
    "PROJECT_GRANT_OWNER": Scope.PROJECT_GRANT,
    "PROJECT_GRANT_OWNER_VIEWER": Scope.PROJECT_GRANT,
}


def by_scope(roles: Iterable[str]) -> dict[Scope, tuple[str, ...]]:
    """The roles of each scope that is named at all, sorted, each once; all must be known."""
    found: dict[Scope, set[str]] = {}
    for role in roles:
        found.setdefault(ROLES[role], set()).add(role)
    return {scope: tuple(sorted(names)) for scope, names in found.items()}


def roles_in(scope: Scope) -> tuple[str, ...]:
    """The roles that may be held in a scope."""
    return tuple(role for role, held_in in ROLES.items() if held_in is scope)
