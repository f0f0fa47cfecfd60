"""The states of a user, and what is deleted with one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.mongo import Database, Session

from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.store import changed_user
from portico_users.directory.members.member import MEMBERS, Member
from portico_users.directory.people.human import Human
from portico_users.directory.service_users.service_user import ServiceUser
from portico_users.kernel.entry import Attachment, Entry, Work
from portico_users.kernel.records import NOT_ACTIVE, NOT_INACTIVE, Record, State

NOT_LOCKED = ErrorCode(
    "USER-401", Kind.FAILED_PRECONDITION, "This user is not locked.", "Get the user to see its current state."
)


@dataclass(frozen=True, slots=True)
class Transition:
    """One change of a state.

    Args:
        before: the states it begins in.
        error: in any other state.
        ends_grants: what was given to the user is worth nothing any more.
    """

    before: frozenset[State]
    after: State
    error: ErrorCode
    ends_grants: bool = False


DEACTIVATE: Final = Transition(frozenset({State.ACTIVE, State.LOCKED}), State.INACTIVE, NOT_ACTIVE, ends_grants=True)
REACTIVATE: Final = Transition(frozenset({State.INACTIVE}), State.ACTIVE, NOT_INACTIVE)
LOCK: Final = Transition(frozenset({State.ACTIVE}), State.LOCKED, NOT_ACTIVE, ends_grants=True)
UNLOCK: Final = Transition(frozenset({State.LOCKED}), State.ACTIVE, NOT_LOCKED)


TRANSITIONS: Final = (DEACTIVATE, REACTIVATE, LOCK, UNLOCK)


def transition_between(before: State, after: State) -> Transition:
    """The one that leads from one state to another; USER-700 when there is none."""
    for one in TRANSITIONS:
        if before in one.before and after is one.after:
            return one
    raise NOT_ACTIVE.error(state=before.value)


def put_state(user: AnyUser, transition: Transition, *wishes: Attachment) -> Entry[AnyUser]:
    """The user in the state it is to have.

    Args:
        wishes: that everything granted to the user ends.

    Raises:
        ServiceError: the transition's own, in a state it does not begin in.
    """
    if user.state not in transition.before:
        raise transition.error.error(state=user.state.value)
    after = msgspec.structs.replace(user, state=transition.after)
    return changed_user(user, after, attachments=wishes)


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

    def plan(self, user: AnyUser, memberships: Sequence[Member], revocation: Attachment) -> tuple[Entry[Record], ...]:
        """The user without anything of a person or a program, and its memberships without roles.

        Args:
            revocation: that everything granted to the user ends.
        """
        side_writes = (self.forget_password(user.id), self._forget(user.id))
        after = _no_human(user) if isinstance(user, Human) else _no_machine(user)
        entry = changed_user(user, after, attachments=(revocation,), side_writes=side_writes)
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
