"""Plans whether a user may act, with what follows from it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TypeVar

import msgspec
from portico_contracts.apply import UserState
from portico_oauth.errors import ServiceError

from portico_users.bulk.apply.step import Step
from portico_users.commands.accounts import ChangeUserState
from portico_users.commands.command import Assembled
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.states import transition_between
from portico_users.directory.people.human import Human
from portico_users.directory.service_users.service_user import ServiceUser
from portico_users.kernel.problems import at
from portico_users.kernel.records import State

OneUser = TypeVar("OneUser", Human, ServiceUser)


def with_state(before: AnyUser | None, after: OneUser, wanted: UserState | None, path: str) -> OneUser:
    """The user in the state of the document; without one, in the state it has. Raises as `wanted_state`."""
    return msgspec.structs.replace(after, state=wanted_state(before, wanted, path) or after.state)


def wanted_state(before: AnyUser | None, wanted: UserState | None, path: str) -> State | None:
    """The state of the document, if it has one; USER-700 with the place, where no transition leads to it."""
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
class StateEffects(Assembled):
    """Adds what follows from another state of a user."""

    change_user_state: ChangeUserState

    def with_consequences(self, before: AnyUser | None, after: AnyUser, step: Step) -> Step:
        """The step with the effects of another state."""
        if before is None:
            return step
        effects = self.change_user_state.effects(before, after.state)
        if effects.resets_attempts:
            return dataclasses.replace(step, resets_attempts_of=after.id)
        if not effects.attachments:
            return step
        own, *others = step.entries
        own = dataclasses.replace(own, attachments=(*own.attachments, *effects.attachments))
        return dataclasses.replace(step, entries=(own, *others), ends_grants=after.id)
