"""Changes of memberships, as entries for the journal."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from portico_oauth.opaque import RandomBytes

from portico_users.domain.names import new_id
from portico_users.domain.problems import Problem, Problems
from portico_users.domain.roles import ROLE_REFUSED, ROLES, Scope, by_scope
from portico_users.journal.entry import Entry
from portico_users.members.member import Member
from portico_users.members.store import MEMBERS


def problems_of(roles: Sequence[str]) -> Problems:
    """The roles that do not exist."""
    for number, role in enumerate(roles):
        if role not in ROLES:
            yield Problem(f"roles[{number}]", ROLE_REFUSED)


def put_roles(
    stored: Sequence[Member], roles: Sequence[str], *, user_id: str, org_id: str, random: RandomBytes
) -> tuple[Entry[Member], ...]:
    """Gives a user exactly these roles in every scope they name; other scopes stay as they are.

    Args:
        stored: the user's memberships.
        roles: known roles; those of the organization are held in ``org_id``.
    """
    entries = []
    for scope, names in by_scope(roles).items():
        scope_id = org_id if scope is Scope.ORGANIZATION else scope.value
        before = next((member for member in stored if member.scope_id == scope_id), None)
        if before is None:
            after = Member(
                id=new_id(random), org_id=org_id, user_id=user_id, scope=scope, scope_id=scope_id, roles=names
            )
        else:
            after = msgspec.structs.replace(before, roles=names)
        if before != after:
            entries.append(Entry(MEMBERS, before, after))
    return tuple(entries)
