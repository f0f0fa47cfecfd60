"""Whether a user may act: the transitions there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.people.human import Human
from portico_users.directory.people.store import HUMANS
from portico_users.directory.service_users.store import SERVICE_USERS
from portico_users.kernel.entry import Attachment, Entry
from portico_users.kernel.records import State
from portico_users.kernel.states import NOT_ACTIVE, NOT_INACTIVE

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


def put_state(user: AnyUser, transition: Transition, *wishes: Attachment) -> Entry[Any]:
    """The user in the state it is to have.

    Args:
        wishes: that everything granted to the user ends.

    Raises:
        ServiceError: the transition's own, in a state it does not begin in.
    """
    if user.state not in transition.before:
        raise transition.error.error(state=user.state.value)
    after = msgspec.structs.replace(user, state=transition.after)
    if isinstance(user, Human):
        return Entry(HUMANS, user, after, attachments=wishes)
    return Entry(SERVICE_USERS, user, after, attachments=wishes)
