"""What keys answers on the bus, and what it hears there."""

from __future__ import annotations

from collections.abc import Sequence
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
from portico_oauth.errors import ServiceError
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock

from portico_keys.domain.key import Key, State
from portico_keys.domain.key_store import KeyStore
from portico_keys.key_ring import KeyRing
from portico_keys.rotation.on_demand import OnDemand
from portico_keys.signing.hand_out import HandOut
from portico_keys.signing.rewrap import Rewrap


@dataclass(frozen=True, slots=True)
class Messages:
    """The handlers of the services' questions.

    Args:
        remember: seconds the id of a revoked key is told, as long as a token it signed could live.
    """

    store: KeyStore
    ring: KeyRing
    hand_out: HandOut
    clock: Clock
    remember: float

    def answer_on(self, bus: Bus) -> None:
        """Registers every handler."""
        bus.respond(ACTIVE_KEYS, self.active_keys)
        bus.respond(PUBLIC_KEYS, self.public_keys)
        bus.subscribe(KEY_PUBLISHED, self._hear_published)
        bus.subscribe(KEY_REVOKED, self._hear_revoked)

    async def active_keys(self, ask: GetActiveKeys) -> ActiveKeys:
        """The keys to sign with, read from the store: a lease never rests on what one replica remembers."""
        return self.hand_out.active_keys(await self.ring.read(self.store), ask.public_key)

    async def public_keys(self, _ask: GetPublicKeys) -> PublicKeys:
        """The key set, from memory like the document."""
        revoked = self.ring.revoked_since(self.clock.now() - self.remember)
        return PublicKeys(jwks=self.ring.key_set().keys, revoked=revoked)

    async def check(self) -> None:
        """Raises unless both questions could be answered now: the readiness of this replica."""
        self.ring.key_set()
        self.hand_out.refuse_lost_keys(await self.store.list_keys())

    async def _hear_published(self, _said: KeyEvent) -> None:
        # Another replica published it, and may be asked about it next to this one.
        with suppress(ServiceError):  # the next look reads it
            await self.ring.read(self.store)

    async def _hear_revoked(self, said: KeyEvent) -> None:
        self.ring.take_out(said.kid, said.at)


@dataclass(frozen=True, slots=True)
class OperatorMessages:
    """The handlers of what the operator asks. Each answers the keys as they are afterwards."""

    store: KeyStore
    on_demand: OnDemand
    rewrapping: Rewrap

    def answer_on(self, bus: Bus) -> None:
        """Registers every handler."""
        bus.respond(ROTATE_KEYS, self.rotate)
        bus.respond(REVOKE_KEY, self.revoke)
        bus.respond(REWRAP_KEYS, self.rewrap)
        bus.respond(KEY_STATES, self.states)

    async def rotate(self, ask: RotateKeys) -> KeyStates:
        """See `OnDemand.rotate`."""
        await self.on_demand.rotate(ask.alg, now=ask.now)
        return await self._states()

    async def revoke(self, ask: RevokeKey) -> KeyStates:
        """See `OnDemand.revoke`."""
        await self.on_demand.revoke(ask.kid)
        return await self._states()

    async def rewrap(self, _ask: RewrapKeys) -> KeyStates:
        """See `Rewrap.run`."""
        await self.rewrapping.run()
        return await self._states()

    async def states(self, _ask: GetKeyStates) -> KeyStates:
        """All keys that are not gone."""
        return await self._states()

    async def _states(self) -> KeyStates:
        return _key_states(await self.store.list_keys())


def _key_states(keys: Sequence[Key]) -> KeyStates:
    told = sorted((key for key in keys if key.state is not State.GONE), key=lambda key: (-key.serial, key.alg))
    return KeyStates(
        keys=tuple(
            KeyState(kid=key.kid, alg=key.alg, state=key.state.value, since=key.since, activates_at=key.activates_at)
            for key in told
        )
    )
