"""Deactivates, reactivates, locks, unlocks and deletes users of either kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from portico_users.commands.command import Command, Commit
from portico_users.credentials.passwords.setting import PasswordSetting
from portico_users.credentials.revocations import Revocations
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.deletion import Deletion
from portico_users.directory.accounts.states import UNLOCK, Transition, put_state, transition_between
from portico_users.directory.members.store import MongoMembers
from portico_users.kernel.entry import Attachment, Entry
from portico_users.kernel.records import State

_DELETED = State.DELETED.value


@dataclass(frozen=True, slots=True)
class StateEffects:
    """What follows from a change of state.

    Args:
        attachments: the revocation of everything that was granted, written with the change; to be completed after it.
        resets_attempts: the user need not wait after wrong passwords any more.
    """

    attachments: tuple[Attachment, ...] = ()
    resets_attempts: bool = False


@dataclass(frozen=True, slots=True)
class ChangeUserState(Command):
    """Changes whether a user may act."""

    revocations: Revocations
    passwords: PasswordSetting
    commit: Commit

    async def __call__(self, user: AnyUser, transition: Transition, *, actor: str) -> AnyUser:
        """The user in the other state.

        Raises:
            ServiceError: of the transition, in a state it does not begin in; `unavailable` also when it is done and the
                revocation is not complete: the same call again then succeeds.
        """
        effects = self._effects(user, transition)
        # The caller who was answered 503 repeats the call: the state is as wanted, and only the revocation was missing.
        repeated = (
            user.state is transition.after
            and transition.ends_grants
            and await self.revocations.is_pending(user.id, transition.after.value)
        )
        if not repeated:
            user = await self.commit(put_state(user, transition, *effects.attachments), actor=actor)
        if transition.ends_grants:
            await self.revocations.complete(user.id)
        if effects.resets_attempts:
            await self.passwords.reset_attempts(user.id)
        return user

    def effects(self, user: AnyUser, wanted: State) -> StateEffects:
        """What follows where a user gets another state together with other changes; USER-700 where no way leads to it."""
        if user.state is wanted:
            return StateEffects()
        return self._effects(user, transition_between(user.state, wanted))

    def _effects(self, user: AnyUser, transition: Transition) -> StateEffects:
        if not transition.ends_grants:
            return StateEffects(resets_attempts=transition is UNLOCK)
        return StateEffects((self.revocations.request_revocation(user.id, transition.after.value, sessions=True),))


@dataclass(frozen=True, slots=True)
class DeleteUser(Command):
    """Deletes a user, its memberships and its credentials; no other user can have its id."""

    deletion: Deletion
    members: MongoMembers
    revocations: Revocations
    commit: Commit

    async def __call__(self, user: AnyUser, *, actor: str) -> AnyUser:
        """The deleted user.

        Raises:
            ServiceError: USER-012; `unavailable` also when it is done and the revocation is not complete: the same call
                again then succeeds.
        """
        deleted = user
        if user.state is not State.DELETED:
            deleted, *_ = await self.commit.all(await self.plan(user), actor=actor)  # type: ignore[assignment] # the first
        await self.revocations.complete(user.id)
        return deleted

    async def plan(self, user: AnyUser) -> tuple[Entry[Any], ...]:
        """The entries that delete the user; its revocation is to be completed after the commit."""
        revocation = self.revocations.request_revocation(user.id, _DELETED, sessions=True)
        return self.deletion.plan(user, await self.members.list_of_user(user.id), revocation)

    async def is_unfinished(self, user: AnyUser) -> bool:
        """The user is deleted, and it is not known that everything granted to it is revoked."""
        return user.state is State.DELETED and await self.revocations.is_pending(user.id, _DELETED)
