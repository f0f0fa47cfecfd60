"""Finds the stored object a part of the document means, refuses what belongs to something else, and plans its state."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec
from portico_contracts.apply import UserState
from portico_oauth.errors import ServiceError

from portico_users.accounts.account import AnyUser
from portico_users.accounts.edit_accounts import ChangeUserState
from portico_users.accounts.states import transition_between
from portico_users.documents.step import Step
from portico_users.end_users.end_user import EndUser
from portico_users.service_users.service_user import ServiceUser
from portico_users.storage.schema import IdSpace
from portico_users.values.names import INVALID_ID, is_id
from portico_users.values.problems import ID_TAKEN, NAME_TAKEN, at
from portico_users.values.records import AnyRecord, State


@dataclass(frozen=True, slots=True)
class Wanted(Generic[AnyRecord]):
    """How a part of the document identifies its object; ``by_name`` finds the holder of any kind or parent."""

    path: str
    id: str | None
    name: str
    fits: Callable[[AnyRecord], bool]
    by_id: Callable[[str], Awaitable[AnyRecord | None]]
    by_name: AnyRecord | None


async def find_existing(ids: IdSpace, wanted: Wanted[AnyRecord]) -> AnyRecord | None:
    found, is_free = None, True
    if wanted.id is not None and is_id(wanted.id):
        found = await wanted.by_id(wanted.id)
        is_free = found is not None or await ids.is_free(wanted.id)
    return existing_of(wanted, found, is_free=is_free)


def existing_of(wanted: Wanted[AnyRecord], found: AnyRecord | None, *, is_free: bool) -> AnyRecord | None:
    """Returns the object that is meant; `found` has its id, and `is_free` reports that nothing else has."""
    named = wanted.by_name
    if wanted.id is None:
        if named is not None and not wanted.fits(named):
            raise at(f"{wanted.path}.{wanted.name}", NAME_TAKEN.error())
        return named
    if not is_id(wanted.id):
        raise at(f"{wanted.path}.id", INVALID_ID.error())
    if not (is_free if found is None else wanted.fits(found)):
        raise at(f"{wanted.path}.id", ID_TAKEN.error())
    if named is not None and (found is None or found.id != named.id):
        raise at(f"{wanted.path}.{wanted.name}", NAME_TAKEN.error())
    return found


OneUser = TypeVar("OneUser", EndUser, ServiceUser)


def with_state(before: AnyUser | None, after: OneUser, wanted: UserState | None, path: str) -> OneUser:
    return msgspec.structs.replace(after, state=wanted_state(before, wanted, path) or after.state)


def wanted_state(before: AnyUser | None, wanted: UserState | None, path: str) -> State | None:
    if wanted is None:
        return None
    state = State(wanted.value)
    if before is not None and before.state is not state:
        try:
            transition_between(before.state, state)
        except ServiceError as error:
            raise at(f"{path}.state", error) from None
    return state


@dataclass(frozen=True, slots=True)
class StateEffects:
    change_user_state: ChangeUserState

    def with_consequences(self, before: AnyUser | None, after: AnyUser, step: Step) -> Step:
        if before is None:
            return step
        effects = self.change_user_state.effects(before, after.state)
        if effects.resets_attempts:
            return dataclasses.replace(step, resets_attempts_of=after)
        if not effects.attachments:
            return step
        own, *others = step.entries
        own = dataclasses.replace(own, attachments=(*own.attachments, *effects.attachments))
        return dataclasses.replace(step, entries=(own, *others), ends_grants=after.id)
