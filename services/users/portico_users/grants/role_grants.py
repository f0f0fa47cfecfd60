from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.values.problems import Problem, Problems

MAX_GRANTED: Final = 1_000
"""Limit per user over all projects, because roles are read with the user and may be included in tokens."""

TOO_MANY_ROLES = ErrorCode(
    "USER-043",
    Kind.INVALID_REQUEST,
    "This user has too many roles.",
    "Grant one user at most 1000 roles over all projects.",
)

GRANT_NOT_FOUND = ErrorCode(
    "USER-724", Kind.NOT_FOUND, "Role grant not found.", "Check the ids of the user and the grant."
)
GRANT_EXISTS = ErrorCode(
    "USER-725",
    Kind.ALREADY_EXISTS,
    "The user already has a role grant for this project.",
    "Update the roles of the grant.",
)


class RoleGrant(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Roles of one project granted to one user; ``role_keys`` are sorted, unique and never empty."""

    project_id: str
    org_id: str
    role_keys: tuple[str, ...]
    active: bool = True
    project_grant_id: str = ""


def with_grants(stored: Sequence[RoleGrant], wanted: Iterable[RoleGrant]) -> tuple[RoleGrant, ...]:
    """Sets exactly the wanted roles for each project listed; a wanted grant without roles removes the stored one."""
    grants = {_place(grant): grant for grant in stored}
    for grant in wanted:
        grants[_place(grant)] = msgspec.structs.replace(grant, role_keys=tuple(sorted(set(grant.role_keys))))
    return tuple(grants[place] for place in sorted(grants) if grants[place].role_keys)


def grant_id(user_id: str, grant: RoleGrant) -> str:
    """Derives the id from user, project and organization, which are unique together."""
    place = json.dumps([user_id, grant.project_id, grant.org_id])
    return hashlib.sha256(place.encode()).hexdigest()[:32]


def load_grant(user_id: str, grants: Iterable[RoleGrant], id: str) -> RoleGrant:
    for grant in grants:
        if grant_id(user_id, grant) == id:
            return grant
    raise GRANT_NOT_FOUND.error()


def problems_of(grants: Iterable[RoleGrant]) -> Problems:
    if sum(len(grant.role_keys) for grant in grants) > MAX_GRANTED:
        yield Problem("grants", TOO_MANY_ROLES)


def _place(grant: RoleGrant) -> tuple[str, str]:
    return grant.project_id, grant.org_id
