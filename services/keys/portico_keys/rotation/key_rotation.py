"""The reconcile loop of every replica; the store lets one do each step. Events are best-effort hints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import structlog
from portico_contracts.events import KEY_ACTIVATED, KEY_PUBLISHED, KEY_RETIRED, KEY_REVOKED, KeyEvent
from portico_contracts.subjects import Event
from portico_oauth.errors import ServiceError
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock
from portico_runtime.process.wakeup import Wakeup

from portico_keys.domain.key import Key, State
from portico_keys.domain.key_store import KeyStore
from portico_keys.domain.lifecycle import Policy, due_transitions, next_serial, wait_of_missing
from portico_keys.key_ring import KeyRing
from portico_keys.rotation.key_generator import KeyGenerator

log = structlog.get_logger("portico.keys")

EVENTS: Final[dict[State, Event[KeyEvent]]] = {
    State.PUBLISHED: KEY_PUBLISHED,
    State.SIGNING: KEY_ACTIVATED,
    State.RETIRED: KEY_RETIRED,
    State.REVOKED: KEY_REVOKED,
}
"""Created and expired keys need no event."""


async def publish_key_event(bus: Bus, updated: Key) -> None:
    log.info("key state changed", kid=updated.kid, alg=updated.alg, state=updated.state.value)
    event = EVENTS.get(updated.state)
    if event is None:
        return
    event_id = f"{updated.kid}.{updated.state.value}"
    try:
        await bus.publish(event, KeyEvent(event_id=event_id, kid=updated.kid, at=updated.since), event_id=event_id)
    except ServiceError as error:
        log.warning("event not published", event_id=event_id, error_code=error.id)


LOOK_SECONDS: Final = 5.0
"""Seconds between reconciliations: a transition is that late, and one whose event was lost is noticed then."""


@dataclass(frozen=True, slots=True)
class KeyRotation:
    algorithms: tuple[str, ...]
    policy: Policy
    store: KeyStore
    generator: KeyGenerator
    ring: KeyRing
    bus: Bus
    clock: Clock
    wakeup: Wakeup = field(default_factory=Wakeup)

    async def run(self) -> None:
        await self.reconcile()
        await self.wakeup.wait(LOOK_SECONDS)

    async def reconcile(self) -> None:
        """Raises `unavailable` when the store cannot be read; the key set in memory is unchanged."""
        keys = await self._create_missing(await self.ring.read(self.store))
        updated: list[Key] = []
        while due := due_transitions(keys, self.clock.now(), self.policy):
            states = {key.kid: key.state for key in keys}
            updated += [key for key in due if await self.store.transition_key(key, was=states[key.kid])]
            keys = await self.ring.read(self.store)
        for key in updated:
            await publish_key_event(self.bus, key)

    async def _create_missing(self, keys: list[Key]) -> list[Key]:
        made = False
        for alg in self.algorithms:
            wait = wait_of_missing(keys, alg, self.clock.now(), self.policy)
            if wait is not None:
                # The loser of a race drops the key it has generated and uses the winner's.
                await self.store.claim_key(await self.generator.generate_key(alg, next_serial(keys, alg), wait))
                made = True
        return await self.ring.read(self.store) if made else keys
