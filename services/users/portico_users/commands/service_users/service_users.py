"""Adds and changes service users."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_oauth.opaque import RandomBytes, fingerprint

from portico_users.commands.accounts.user_names import ALONE, Beside, UserNames
from portico_users.commands.client_keys.register_keys import RegisterKeys, WantedKeys
from portico_users.commands.command import Command, Commit, PlannedClient
from portico_users.directory.client_keys.client_secrets import PreviousSecret, new_secret
from portico_users.directory.service_users.changes import put_service_user
from portico_users.directory.service_users.service_user import ServiceUser
from portico_users.kernel.entry import Entry
from portico_users.kernel.names import new_id


@dataclass(frozen=True, slots=True)
class AddServiceUser(Command):
    """Creates a service user."""

    commit: Commit
    keys: RegisterKeys
    user_names: UserNames
    random: RandomBytes

    async def plan(
        self, user: ServiceUser, *, keys: WantedKeys | None = None, secret: str = "", beside: Beside = ALONE
    ) -> PlannedClient[ServiceUser]:
        """Plans a new service user that has a credential: its keys, the secret, or one that is generated.

        Args:
            user: its values; an empty id is generated.

        Raises:
            ServiceError: of the rules for service users and keys; USER-864 for the name.
        """
        user = msgspec.structs.replace(user, id=user.id or new_id(self.random), keys=await self.keys.plan((), keys))
        made = "" if secret or user.keys else new_secret(self.random)
        entry = await self._plan(with_secret(user, secret or made), beside)
        return PlannedClient(entry, made)

    async def __call__(self, user: ServiceUser, *, actor: str) -> ServiceUser:
        """The service user as it was created, still without credentials. Raises as `plan`; USER-011 for the name."""
        user = msgspec.structs.replace(user, id=user.id or new_id(self.random))
        return await self.commit(await self._plan(user, ALONE), actor=actor)

    async def _plan(self, user: ServiceUser, beside: Beside) -> Entry[ServiceUser]:
        entry = put_service_user(None, user)
        await self.user_names.refuse_foreign(user.user_name, user.org_id, "username", beside)
        return entry


@dataclass(frozen=True, slots=True)
class UpdateServiceUser(Command):
    """Changes a service user."""

    commit: Commit
    keys: RegisterKeys
    user_names: UserNames

    async def plan(
        self,
        before: ServiceUser,
        after: ServiceUser,
        *,
        keys: WantedKeys | None = None,
        secret: str = "",
        beside: Beside = ALONE,
    ) -> Entry[ServiceUser]:
        """Plans a change. Raises as `AddServiceUser.plan`.

        Args:
            secret: becomes the secret where there was none.
        """
        after = msgspec.structs.replace(after, keys=await self.keys.plan(before.keys, keys))
        entry = put_service_user(before, after if before.secret_hash else with_secret(after, secret))
        if after.user_name != before.user_name:
            await self.user_names.refuse_foreign(after.user_name, after.org_id, "username", beside)
        return entry

    async def __call__(self, before: ServiceUser, after: ServiceUser, *, actor: str) -> ServiceUser:
        """The service user as it was changed. Raises as `plan`; USER-702 when nothing would change, USER-011."""
        return await self.commit.change(await self.plan(before, after), actor=actor)


def with_secret(user: ServiceUser, secret: str, kept: PreviousSecret | None = None) -> ServiceUser:
    """The service user with the fingerprint of a secret; an empty secret changes nothing.

    Args:
        kept: the secret it replaces, where that stays good.
    """
    return msgspec.structs.replace(user, secret_hash=fingerprint(secret), previous_secret=kept) if secret else user
