"""Adds and removes the credentials of a service user: keys, personal access tokens and its secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from portico_oauth.opaque import RandomBytes
from portico_runtime.clock import Clock

from portico_users.commands.client_keys.register_keys import RegisterKeys
from portico_users.commands.command import Command, Commit
from portico_users.commands.service_users.service_users import with_secret
from portico_users.directory.client_keys.assertion_keys import AssertionKey
from portico_users.directory.client_keys.client_secrets import keep_secret, new_secret
from portico_users.directory.client_keys.key_files import NewKey, without_key
from portico_users.directory.service_users.changes import put_service_user
from portico_users.directory.service_users.personal_access_tokens import NewToken, new_token, without_token
from portico_users.directory.service_users.service_user import ServiceUser
from portico_users.kernel.names import new_id
from portico_users.kernel.timestamps import require_future


class AddedKey(NamedTuple):
    """A key that was just added.

    Attributes:
        pair: the whole pair; None where the caller has the private half.
    """

    user: ServiceUser
    key: AssertionKey
    pair: NewKey | None

    def __repr__(self) -> str:
        """Names the key only."""
        return f"AddedKey({self.key.kid!r})"


@dataclass(frozen=True, slots=True)
class ServiceUserKeys(Command):
    """Adds and removes keys."""

    commit: Commit
    keys: RegisterKeys

    async def add(self, user: ServiceUser, public_key: str, expires_at: float, *, actor: str) -> AddedKey:
        """Adds a key.

        Args:
            public_key: of the caller's own pair; empty where a pair is to be created.

        Raises:
            ServiceError: USER-053 for the expiration, USER-050 and USER-051 for the public key, USER-054 for too many.
        """
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
    """Adds and removes personal access tokens."""

    commit: Commit
    clock: Clock
    random: RandomBytes

    async def add(self, user: ServiceUser, expires_at: float, *, actor: str) -> tuple[ServiceUser, NewToken]:
        """Adds a token, of which only the fingerprint is stored; USER-053 for the expiration, USER-711 for too many."""
        now = self.clock.now()
        require_future(expires_at, now)
        made = new_token(new_id(self.random), self.random, created=now, expires_at=expires_at)
        after = msgspec.structs.replace(user, personal_tokens=(*user.personal_tokens, made.kept))
        return await self.commit(put_service_user(user, after), actor=actor), made

    async def remove(self, user: ServiceUser, id: str, *, actor: str) -> ServiceUser:
        """Removes a token; USER-710 for an unknown one."""
        after = msgspec.structs.replace(user, personal_tokens=without_token(user.personal_tokens, id))
        return await self.commit(put_service_user(user, after), actor=actor)


@dataclass(frozen=True, slots=True)
class ServiceUserSecret(Command):
    """Replaces and removes the secret; the one before may stay good beside it for a while, and no other."""

    commit: Commit
    clock: Clock
    random: RandomBytes

    async def replace(self, user: ServiceUser, keep_seconds: int = 0, *, actor: str) -> tuple[ServiceUser, str]:
        """Generates a secret, of which only the fingerprint is stored.

        Args:
            keep_seconds: how long the secret there was stays good; 0 for not at all.
        """
        secret = new_secret(self.random)
        kept = keep_secret(user.secret_hash, keep_seconds, self.clock.now())
        return await self.commit(put_service_user(user, with_secret(user, secret, kept)), actor=actor), secret

    async def remove(self, user: ServiceUser, *, actor: str) -> ServiceUser:
        """Removes the secret, and the one that was kept; USER-702 where there is none."""
        after = msgspec.structs.replace(user, secret_hash="", previous_secret=None)
        return await self.commit.change(put_service_user(user, after), actor=actor)

    async def remove_previous(self, user: ServiceUser, *, actor: str) -> ServiceUser:
        """Ends the secret that was kept; USER-702 where there is none."""
        after = msgspec.structs.replace(user, previous_secret=None)
        return await self.commit.change(put_service_user(user, after), actor=actor)
