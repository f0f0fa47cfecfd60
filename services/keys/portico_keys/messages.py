from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from portico_contracts.events import KEY_PUBLISHED, KEY_REVOKED, KeyEvent
from portico_contracts.keys import (
    ACTIVE_KEYS,
    KEY_STATES,
    PUBLIC_KEYS,
    REVOKE_KEY,
    REWRAP_KEYS,
    ROTATE_KEYS,
    ActiveKeys,
    GetActiveKeys,
    GetKeyStates,
    GetPublicKeys,
    KeyState,
    KeyStates,
    PublicKeys,
    RevokeKey,
    RewrapKeys,
    RotateKeys,
)
from portico_contracts.migrations import KEYS_MIGRATE_BATCH, KEYS_MIGRATIONS
from portico_oauth.errors import ServiceError
from portico_runtime.bus.bus import Bus
from portico_runtime.mongo.migrations import Migrations
from portico_runtime.process.clock import Clock
from portico_runtime.process.health import NotReady

from portico_keys.domain.key import State
from portico_keys.domain.key_store import KeyStore
from portico_keys.key_ring import KeyRing
from portico_keys.rotation.on_demand import OnDemandRotation
from portico_keys.signing.key_distribution import KeyDistribution
from portico_keys.signing.rewrap import Rewrap


@dataclass(frozen=True, slots=True)
class Messages:
    """Handlers of the services' requests.

    Revoked ids are listed for `revoked_seconds`, the maximum lifetime of a token; an expired key verifies
    hints for `expired_seconds`, that of a session.
    """

    store: KeyStore
    ring: KeyRing
    key_distribution: KeyDistribution
    clock: Clock
    revoked_seconds: float
    expired_seconds: float
    wake_rotation: Callable[[], None]

    def answer_on(self, bus: Bus) -> None:
        bus.respond(ACTIVE_KEYS, self.active_keys)
        bus.respond(PUBLIC_KEYS, self.public_keys)
        bus.subscribe(KEY_PUBLISHED, self._on_published)
        bus.subscribe(KEY_REVOKED, self._on_revoked)

    async def active_keys(self, request: GetActiveKeys) -> ActiveKeys:
        """Reads the keys from the store: a lease never depends on the memory of one replica."""
        return self.key_distribution.active_keys(await self.ring.read(self.store), request.public_key)

    async def public_keys(self, _request: GetPublicKeys) -> PublicKeys:
        now = self.clock.now()
        return PublicKeys(
            jwks=self.ring.key_set().keys,
            revoked=self.ring.revoked_since(now - self.revoked_seconds),
            expired=self.ring.expired_since(now - self.expired_seconds),
        )

    async def check(self) -> None:
        """Raises unless both requests can be answered: the readiness of this replica."""
        self.ring.key_set()
        try:
            self.key_distribution.require_unsealable(self.ring.keys)
        except ServiceError as error:
            kid, cause = error.private["kid"], error.private["cause"]
            raise NotReady(f"PORTICO_MASTER_KEYS cannot decrypt signing key {kid}: {cause}") from error

    async def _on_published(self, _event: KeyEvent) -> None:
        # Another replica published it, and a requester may use this one next.
        self.wake_rotation()
        with suppress(ServiceError):  # the next reconciliation reads it
            await self.ring.read(self.store)

    async def _on_revoked(self, event: KeyEvent) -> None:
        self.ring.remove(event.kid, event.at)
        self.wake_rotation()


@dataclass(frozen=True, slots=True)
class OperatorMessages:
    store: KeyStore
    on_demand: OnDemandRotation
    rewrapping: Rewrap
    migrations: Migrations

    def answer_on(self, bus: Bus) -> None:
        bus.respond(ROTATE_KEYS, self.rotate)
        bus.respond(REVOKE_KEY, self.revoke)
        bus.respond(REWRAP_KEYS, self.rewrap)
        bus.respond(KEY_STATES, self._states)
        bus.respond(KEYS_MIGRATIONS, self.migrations.list)
        bus.respond(KEYS_MIGRATE_BATCH, self.migrations.carry)

    async def rotate(self, request: RotateKeys) -> KeyStates:
        await self.on_demand.rotate(request.alg, now=request.now)
        return await self._states()

    async def revoke(self, request: RevokeKey) -> KeyStates:
        await self.on_demand.revoke(request.kid)
        return await self._states()

    async def rewrap(self, _request: RewrapKeys) -> KeyStates:
        await self.rewrapping.run()
        return await self._states()

    async def _states(self, _request: GetKeyStates | None = None) -> KeyStates:
        """All keys that have not expired."""
        keys = [key for key in await self.store.list_keys() if key.state is not State.EXPIRED]
        return KeyStates(
            keys=tuple(
                KeyState(
                    kid=key.kid, alg=key.alg, state=key.state.value, since=key.since, activates_at=key.activates_at
                )
                for key in sorted(keys, key=lambda key: (-key.serial, key.alg))
            )
        )
