"""Plans whether a user may act; what that ends or forgives is done with it."""

from __future__ import annotations

import dataclasses
from typing import TypeVar

import msgspec
from portico_contracts.apply import UserState
from portico_oauth.errors import ServiceError

from portico_users.bulk.apply.finding import Stored
from portico_users.bulk.apply.step import Step
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.states import UNLOCK, transition_between
from portico_users.directory.people.human import Human
from portico_users.directory.service_users.service_user import ServiceUser
from portico_users.kernel.problems import at
from portico_users.kernel.records import State

OneUser = TypeVar("OneUser", Human, ServiceUser)


def with_state(before: AnyUser | None, after: OneUser, wanted: UserState | None, path: str) -> OneUser:
    """The user in the state that is wanted; without a word, in the one it has.

    Raises:
        ServiceError: USER-700 with the place, where no way leads to it.
    """
    if wanted is None:
        return after
    state = State(wanted.value)
    if before is not None and before.state is not state:
        try:
            transition_between(before.state, state)
        except ServiceError as error:
            raise at(f"{path}.state", error) from None
    return msgspec.structs.replace(after, state=state)


def with_consequences(stored: Stored, before: AnyUser | None, after: AnyUser, step: Step) -> Step:
    """The step with what follows from another state: all grants end, or wrong passwords are forgiven."""
    if before is None or before.state is after.state:
        return step
    transition = transition_between(before.state, after.state)
    if transition is UNLOCK:
        return dataclasses.replace(step, resets_attempts_of=after.id)
    if not transition.ends_grants:
        return step
    own, *others = step.entries
    revocation = stored.revocations.request_revocation(after.id, after.state.value, sessions=True)
    own = dataclasses.replace(own, attachments=(*own.attachments, revocation))
    return dataclasses.replace(step, entries=(own, *others), ends_grants=after.id)
