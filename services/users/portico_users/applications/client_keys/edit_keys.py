"""Registers the public keys that applications and service users sign their assertions with."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes
from portico_runtime.process.clock import Clock

from portico_users.applications.client_keys.assertion_keys import AssertionKey, jwk_of, key_of, thumbprint, with_keys
from portico_users.applications.client_keys.key_files import NewKey, new_key
from portico_users.journal.command import Command
from portico_users.storage.schema import IdSpace
from portico_users.values.names import INVALID_ID, is_id, new_id
from portico_users.values.problems import ID_TAKEN, at, below
from portico_users.values.timestamps import require_future


@dataclass(frozen=True, slots=True)
class WantedKey:
    """A public key as one PEM block; ``id`` None for its RFC 7638 thumbprint, ``expires_at`` 0 for never."""

    public_key: str
    id: str | None = None
    expires_at: float = 0.0


@dataclass(frozen=True, slots=True)
class WantedKeys:
    keys: Sequence[WantedKey]
    exact: bool = False


@dataclass(frozen=True, slots=True)
class RegisterKeys(Command):
    ids: IdSpace
    clock: Clock
    random: RandomBytes

    async def plan(self, before: Sequence[AssertionKey], wanted: WantedKeys | None) -> tuple[AssertionKey, ...]:
        """Returns all keys the owner will have, identified by kid."""
        if wanted is None:
            return tuple(before)
        known = {key.kid: key for key in before}
        keys: dict[str, AssertionKey] = {}
        for number, one in enumerate(wanted.keys):
            with below(f"keys[{number}]"):
                key = self.read(one, known)
                if key.kid in keys or (key.kid not in known and not await self.ids.is_free(key.kid)):
                    raise at("id" if one.id else "", ID_TAKEN.error())
            keys[key.kid] = key
        together = with_keys(before, keys.values())
        return tuple(key for key in together if key.kid in keys) if wanted.exact else together

    def given(self, public_key: str, expires_at: float) -> AssertionKey:
        return self.read(WantedKey(public_key, new_id(self.random), expires_at), {})

    async def create(self, expires_at: float, *, es256: bool = False) -> NewKey:
        """Generates a key pair; only the public key is stored. Raises USER-053 for an expiration in the past."""
        now = self.clock.now()
        require_future(expires_at, now)
        return await asyncio.to_thread(new_key, new_id(self.random), created=now, expires_at=expires_at, es256=es256)

    def read(self, wanted: WantedKey, known: dict[str, AssertionKey]) -> AssertionKey:
        if wanted.id is not None and not is_id(wanted.id):
            raise at("id", INVALID_ID.error())
        try:
            jwk = jwk_of(wanted.public_key)
        except ServiceError as error:
            raise at("publicKey", error) from None
        now, kid = self.clock.now(), wanted.id or thumbprint(jwk)
        key = key_of(kid, wanted.public_key, created=now, expires_at=wanted.expires_at)
        same = known.get(kid)
        if same is None:
            # Registered keys may get an expiration in the past, which ends them at once.
            require_future(key.expires_at, now)
            return key
        return msgspec.structs.replace(key, created=same.created) if same.jwk == key.jwk else key
