"""Deletes users: what remains are the events and the id, which is never assigned again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from portico_runtime.mongo import Database, Session

from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.members.member import Member
from portico_users.directory.members.store import MEMBERS
from portico_users.directory.people.human import Human
from portico_users.directory.people.store import HUMANS
from portico_users.directory.service_users.service_user import ServiceUser
from portico_users.directory.service_users.store import SERVICE_USERS
from portico_users.kernel.entry import Attachment, Entry, Work
from portico_users.kernel.records import State

OWNED: Final[Mapping[str, str]] = {
    "challenges": "purpose.userId",
    "webauthnKeys": "userId",
    "webauthnCeremonies": "userId",
    "passkeyLinks": "userId",
    "totpSecrets": "_id",
    "totpStarted": "_id",
    "recoveryCodes": "_id",
    "factorMailCodes": "userId",
    "enrolments": "userId",
    "noticeLinks": "userId",
}
"""What else is a user's, beside the password: the member that names the user, by collection."""


@dataclass(frozen=True, slots=True)
class Deletion:
    """Plans deletions.

    Args:
        forget_password: deletes the hash of a user, and counts that.
    """

    database: Database
    forget_password: Callable[[str], Work]

    def plan(self, user: AnyUser, memberships: Sequence[Member], revocation: Attachment) -> tuple[Entry[Any], ...]:
        """The user without anything of a person or a program, and its memberships without roles.

        Args:
            revocation: that everything granted to the user ends.
        """
        side_writes = (self.forget_password(user.id), self._forget(user.id))
        entry: Entry[Any]
        if isinstance(user, Human):
            entry = Entry(HUMANS, user, _no_human(user), attachments=(revocation,), side_writes=side_writes)
        else:
            entry = Entry(SERVICE_USERS, user, _no_machine(user), attachments=(revocation,), side_writes=side_writes)
        return (entry, *(Entry(MEMBERS, member, _no_member(member)) for member in memberships))

    def _forget(self, user_id: str) -> Work:
        async def write(session: Session) -> None:
            for collection, member in OWNED.items():
                await self.database[collection].delete_many({member: user_id}, session=session)

        return write


def _no_human(human: Human) -> Human:
    return Human(
        id=human.id,
        org_id=human.org_id,
        state=State.DELETED,
        user_name="",
        first_name="",
        last_name="",
        display_name="",
        email="",
    )


def _no_machine(service_user: ServiceUser) -> ServiceUser:
    return ServiceUser(id=service_user.id, org_id=service_user.org_id, state=State.DELETED, user_name="", name="")


def _no_member(member: Member) -> Member:
    return msgspec.structs.replace(member, state=State.DELETED, roles=())
