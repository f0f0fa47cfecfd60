"""Service users, and their secrets, keys and personal access tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from portico_oauth.opaque import RandomBytes, fingerprint
from portico_runtime.process.clock import Clock

from portico_users.accounts.edit_accounts import ALONE, Beside, UserNames
from portico_users.applications.client_keys.assertion_keys import AssertionKey
from portico_users.applications.client_keys.client_secrets import DAY_SECONDS, PreviousSecret, keep_secret, new_secret
from portico_users.applications.client_keys.edit_keys import RegisterKeys, WantedKeys
from portico_users.applications.client_keys.key_files import NewKey, without_key
from portico_users.journal.command import Command, Commit, PlannedClient
from portico_users.service_users.changes import put_service_user
from portico_users.service_users.personal_access_tokens import NewToken, new_token, without_token
from portico_users.service_users.service_user import ServiceUser
from portico_users.storage.entry import Entry
from portico_users.trusted_workloads.rules import TrustedIssuers
from portico_users.values.names import new_id
from portico_users.values.timestamps import require_future


@dataclass(frozen=True, slots=True)
class AddServiceUser(Command):
    commit: Commit
    keys: RegisterKeys
    issuers: TrustedIssuers
    user_names: UserNames
    random: RandomBytes
    clock: Clock

    async def plan(
        self, user: ServiceUser, *, keys: WantedKeys | None = None, secret: str = "", beside: Beside = ALONE
    ) -> PlannedClient[ServiceUser]:
        """Plans a service user with the given keys or secret, or else a generated secret."""
        user = msgspec.structs.replace(user, id=user.id or new_id(self.random), keys=await self.keys.plan((), keys))
        made = "" if secret or user.keys else new_secret(self.random)
        entry = await self._plan(with_secret(user, secret or made, self.clock.now()), beside)
        return PlannedClient(entry, made)

    async def __call__(
        self, user: ServiceUser, *, generate_secret: bool = False, actor: str
    ) -> tuple[ServiceUser, str]:
        """Returns the service user and its secret; without `generate_secret`, it has none and the text is empty."""
        user = msgspec.structs.replace(user, id=user.id or new_id(self.random))
        secret = new_secret(self.random) if generate_secret else ""
        return await self.commit(
            await self._plan(with_secret(user, secret, self.clock.now()), ALONE), actor=actor
        ), secret

    async def _plan(self, user: ServiceUser, beside: Beside) -> Entry[ServiceUser]:
        entry = put_service_user(None, user)
        self.issuers.require(user.trusted_workloads)
        await self.user_names.refuse_foreign(user.user_name, user.org_id, "username", beside)
        return entry


@dataclass(frozen=True, slots=True)
class UpdateServiceUser(Command):
    commit: Commit
    keys: RegisterKeys
    issuers: TrustedIssuers
    user_names: UserNames
    clock: Clock

    async def plan(
        self,
        before: ServiceUser,
        after: ServiceUser,
        *,
        keys: WantedKeys | None = None,
        secret: str = "",
        beside: Beside = ALONE,
    ) -> Entry[ServiceUser]:
        after = msgspec.structs.replace(after, keys=await self.keys.plan(before.keys, keys))
        after = after if before.secret_hash else with_secret(after, secret, self.clock.now())
        entry = put_service_user(before, after)
        self.issuers.require(after.trusted_workloads)
        if after.user_name != before.user_name:
            await self.user_names.refuse_foreign(after.user_name, after.org_id, "username", beside)
        return entry

    async def __call__(self, before: ServiceUser, after: ServiceUser, *, actor: str) -> ServiceUser:
        return await self.commit.change(await self.plan(before, after), actor=actor)


def with_secret(
    user: ServiceUser, secret: str, now: float, kept: PreviousSecret | None = None, *, days: int = 0
) -> ServiceUser:
    """`days` after `now` the secret expires; 0 for never."""
    if not secret:
        return user
    until = now + days * DAY_SECONDS if days else 0.0
    return msgspec.structs.replace(
        user, secret_hash=fingerprint(secret), secret_created=now, secret_until=until, previous_secret=kept
    )


class AddedKey(NamedTuple):
    user: ServiceUser
    key: AssertionKey
    pair: NewKey | None

    def __repr__(self) -> str:
        """Names the key only."""
        return f"AddedKey({self.key.kid!r})"


@dataclass(frozen=True, slots=True)
class ServiceUserKeys(Command):
    commit: Commit
    keys: RegisterKeys

    async def add(self, user: ServiceUser, public_key: str, expires_at: float, *, actor: str) -> AddedKey:
        pair = None if public_key else await self.keys.create(expires_at)
        key = pair.key if pair else self.keys.given(public_key, expires_at)
        after = msgspec.structs.replace(user, keys=(*user.keys, key))
        return AddedKey(await self.commit(put_service_user(user, after), actor=actor), key, pair)

    async def remove(self, user: ServiceUser, kid: str, *, actor: str) -> ServiceUser:
        """Removes a key; USER-706 for an unknown one."""
        after = msgspec.structs.replace(user, keys=without_key(user.keys, kid))
        return await self.commit(put_service_user(user, after), actor=actor)


@dataclass(frozen=True, slots=True)
class PersonalTokens(Command):
    commit: Commit
    clock: Clock
    random: RandomBytes

    async def add(self, user: ServiceUser, expires_at: float, *, actor: str) -> tuple[ServiceUser, NewToken]:
        """Adds a token, of which only the hash is stored."""
        now = self.clock.now()
        require_future(expires_at, now)
        made = new_token(new_id(self.random), self.random, created=now, expires_at=expires_at)
        after = msgspec.structs.replace(user, personal_tokens=(*user.personal_tokens, made.kept))
        return await self.commit(put_service_user(user, after), actor=actor), made

    async def remove(self, user: ServiceUser, id: str, *, actor: str) -> ServiceUser:
        after = msgspec.structs.replace(user, personal_tokens=without_token(user.personal_tokens, id))
        return await self.commit(put_service_user(user, after), actor=actor)


@dataclass(frozen=True, slots=True)
class ServiceUserSecret(Command):
    """Replaces and removes the secret; the previous one, and no older one, may stay valid for a while."""

    commit: Commit
    clock: Clock
    random: RandomBytes

    async def replace(
        self, user: ServiceUser, keep_seconds: int = 0, expires_after_days: int = 0, *, actor: str
    ) -> tuple[ServiceUser, str]:
        """Generates a secret, stored as a hash; the previous one stays valid for ``keep_seconds``."""
        secret, now = new_secret(self.random), self.clock.now()
        kept = keep_secret(user.secret_hash, keep_seconds, now, created=user.secret_created, ends=user.secret_until)
        after = with_secret(user, secret, now, kept, days=expires_after_days)
        return await self.commit(put_service_user(user, after), actor=actor), secret

    async def remove(self, user: ServiceUser, *, actor: str) -> ServiceUser:
        """Removes current and previous secret. Raises USER-702 without one."""
        after = msgspec.structs.replace(user, secret_hash="", secret_until=0.0, previous_secret=None)
        return await self.commit.change(put_service_user(user, after), actor=actor)

    async def remove_previous(self, user: ServiceUser, *, actor: str) -> ServiceUser:
        """Ends the secret that was kept; USER-702 without one."""
        after = msgspec.structs.replace(user, previous_secret=None)
        return await self.commit.change(put_service_user(user, after), actor=actor)
