"""The states of a user, and what is deleted with one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.mongo.client import Database, Session

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import changed_user
from portico_users.administrators.member import MEMBERS, Member
from portico_users.end_users.end_user import EndUser
from portico_users.service_users.service_user import ServiceUser
from portico_users.storage.entry import Attachment, Entry, Work
from portico_users.values.records import NOT_ACTIVE, NOT_INACTIVE, Record, State

NOT_LOCKED = ErrorCode(
    "USER-401", Kind.FAILED_PRECONDITION, "This user is not locked.", "Get the user to see its current state."
)


@dataclass(frozen=True, slots=True)
class Transition:
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
    for one in TRANSITIONS:
        if before in one.before and after is one.after:
            return one
    raise NOT_ACTIVE.error(state=before.value)


def put_state(user: AnyUser, transition: Transition, *wishes: Attachment) -> Entry[AnyUser]:
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
    "signInCodes": "userId",
    "factorTextCodes": "userId",
    "enrolments": "userId",
    "noticeLinks": "userId",
    "lastSignIns": "_id",
    "agentUses": "userId",
}
"""Other data of a user: the field with the user's id, by collection."""


@dataclass(frozen=True, slots=True)
class Deletion:
    database: Database
    forget_password: Callable[[str], Work]

    def plan(self, user: AnyUser, memberships: Sequence[Member], revocation: Attachment) -> tuple[Entry[Record], ...]:
        side_writes = (self.forget_password(user.id), self._forget(user.id))
        after = _no_end_user(user) if isinstance(user, EndUser) else _no_service_user(user)
        entry = changed_user(user, after, attachments=(revocation,), side_writes=side_writes)
        return (entry, *(Entry(MEMBERS, member, _no_member(member)) for member in memberships))

    def _forget(self, user_id: str) -> Work:
        async def write(session: Session) -> None:
            for collection, member in OWNED.items():
                await self.database[collection].delete_many({member: user_id}, session=session)

        return write


def _no_end_user(human: EndUser) -> EndUser:
    return EndUser(
        id=human.id,
        org_id=human.org_id,
        state=State.DELETED,
        user_name="",
        first_name="",
        last_name="",
        display_name="",
        email="",
    )


def _no_service_user(service_user: ServiceUser) -> ServiceUser:
    return ServiceUser(id=service_user.id, org_id=service_user.org_id, state=State.DELETED, user_name="", name="")


def _no_member(member: Member) -> Member:
    return msgspec.structs.replace(member, state=State.DELETED, roles=())
