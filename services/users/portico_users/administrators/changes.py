from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes

from portico_users.administrators.member import MEMBERS, Member
from portico_users.administrators.permissions import INVALID_ROLE, ROLES, Scope, by_scope
from portico_users.storage.entry import Entry
from portico_users.values.names import new_id
from portico_users.values.problems import Problem, Problems, refuse_first
from portico_users.values.records import State, refuse_unchanged

_OF_DOCUMENTS: Final = (Scope.INSTANCE, Scope.ORGANIZATION)

MEMBER_EXISTS = ErrorCode(
    "USER-713", Kind.ALREADY_EXISTS, "This user is already a member.", "Update the roles of the member."
)
MEMBER_NOT_FOUND = ErrorCode("USER-714", Kind.NOT_FOUND, "Member not found.", "Check the id of the user.")


def problems_of(roles: Sequence[str], *scopes: Scope) -> Problems:
    """Yields unknown roles and those of other scopes; without scopes, checks the roles of a document."""
    for number, role in enumerate(roles):
        if ROLES.get(role) not in (scopes or _OF_DOCUMENTS):
            yield Problem(f"roles[{number}]", INVALID_ROLE)


def put_roles(
    stored: Sequence[Member], roles: Sequence[str], *, user_id: str, org_id: str, random: RandomBytes
) -> tuple[Entry[Member], ...]:
    entries = []
    for scope, names in by_scope(roles).items():
        scope_id = org_id if scope is Scope.ORGANIZATION else scope.value
        before = next((member for member in stored if member.scope_id == scope_id), None)
        if before is None:
            after = Member(
                id=new_id(random), org_id=org_id, user_id=user_id, scope=scope, scope_id=scope_id, roles=names
            )
        else:
            after = msgspec.structs.replace(before, state=State.ACTIVE, roles=names)
        if before != after:
            entries.append(Entry(MEMBERS, before, after))
    return tuple(entries)


def add_member(before: Member | None, after: Member) -> Entry[Member]:
    refuse_first(problems_of(after.roles, after.scope))
    if before is None:
        return Entry(MEMBERS, None, after)
    if before.roles:
        raise MEMBER_EXISTS.error()
    return Entry(MEMBERS, before, msgspec.structs.replace(before, state=State.ACTIVE, roles=after.roles))


def update_member(before: Member, roles: Sequence[str]) -> Entry[Member]:
    refuse_first(problems_of(roles, before.scope))
    after = msgspec.structs.replace(before, roles=tuple(sorted(set(roles))))
    refuse_unchanged(before, after)
    return Entry(MEMBERS, before, after)


def remove_member(before: Member) -> Entry[Member]:
    return Entry(MEMBERS, before, msgspec.structs.replace(before, state=State.DELETED, roles=()))
