"""What groups give their members: read from the groups themselves, which change without their members (decision 0136)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.end_user import EndUser
from portico_users.grants.role_grants import RoleGrant
from portico_users.groups.group import Group, MongoGroups, is_there
from portico_users.groups.memberships import InGroup, InGroups, direct, with_links_in
from portico_users.values.problems import CHANGED_MEANWHILE
from portico_users.values.records import version_of

OneUser = TypeVar("OneUser", bound=AnyUser)

MAX_GROUPS: Final = 500

TOO_MANY_GROUPS = ErrorCode(
    "USER-104", Kind.INVALID_REQUEST, "This user is in too many groups.", "Add a user to at most 500 groups."
)


class Membership(NamedTuple):
    """A group that a user has: itself (`own`), and through those of its groups that belong to it (`via`)."""

    group: Group
    own: InGroup | None
    via: tuple[str, ...]


def memberships_of(user: AnyUser, known: Mapping[str, Group]) -> tuple[Membership, ...]:
    """Returns the groups in ``known`` that the user has, sorted by id; deleted ones and those of others are none."""
    own = {one.id: one for one in direct(user.groups) if is_there(known.get(one.id), user.org_id)}
    via: dict[str, set[str]] = {}
    for id in own:
        for parent in known[id].parents:
            if is_there(known.get(parent), user.org_id):
                via.setdefault(parent, set()).add(id)
    return tuple(Membership(known[id], own.get(id), tuple(sorted(via.get(id, ())))) for id in sorted({**own, **via}))


def given_by(memberships: Sequence[Membership]) -> tuple[RoleGrant, ...]:
    return tuple(grant for one in memberships for grant in one.group.grants)


def own_links(user: AnyUser, groups: InGroups) -> InGroups:
    """Without what linked identities gave that the user has no longer."""
    return with_links_in(groups, {link.key for link in user.idp_links} if isinstance(user, EndUser) else ())


@dataclass(frozen=True, slots=True)
class Memberships:
    groups: MongoGroups
    accounts: MongoAccounts

    async def list_of(self, user: AnyUser) -> tuple[Membership, ...]:
        ids = [one.id for one in direct(user.groups)]
        return memberships_of(user, await self.groups.list_with_parents(ids)) if ids else ()

    async def names_of(self, users: Sequence[AnyUser]) -> dict[str, tuple[str, ...]]:
        """Returns the names of the groups of those users who have any, by the id of the user."""
        ids = {one.id for user in users for one in direct(user.groups)}
        known = await self.groups.list_with_parents(ids) if ids else {}
        names = {user.id: sorted(one.group.name for one in memberships_of(user, known)) for user in users}
        return {id: tuple(found) for id, found in names.items() if found}

    async def at_one_time(self, user: AnyUser) -> tuple[Membership, ...]:
        """Like `list_of`, all as they were at one time, together with the user.

        Otherwise a user would have the later roles of a group that it had left before. Raises CHANGED_MEANWHILE if
        the user or one of the groups has changed since it was read.
        """
        ids = [one.id for one in direct(user.groups)]
        if not ids:
            return ()
        known = await self.groups.list_with_parents(ids)
        users, groups = await asyncio.gather(
            self.accounts.list_versions((user.id,)), self.groups.list_versions(known.keys())
        )
        read = {id: version_of(group) for id, group in known.items()}
        if users != {user.id: version_of(user)} or groups != read:
            raise CHANGED_MEANWHILE.error(id=user.id)
        return memberships_of(user, known)
