"""The keys service on a store in memory, with background work that a test runs explicitly."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

from portico_keys.app import Parts, create_app, key_rotation_of
from portico_keys.domain.key import Key, State
from portico_keys.domain.key_store import KeyStore
from portico_keys.settings import Settings
from portico_oauth.errors import UNAVAILABLE
from portico_oauth.master_keys import SealedAtRest
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock

from portico_fakes.randomness import seeded_bytes

MASTER_KEY = base64.b64encode(bytes(range(32))).decode()


class MemoryKeys:
    """Passes the same conformance tests as the store on MongoDB."""

    def __init__(self) -> None:
        self._keys: dict[str, Key] = {}
        self.down = False
        """When true, everything is `unavailable`."""

    async def list_keys(self) -> list[Key]:
        self._refuse_when_down()
        return sorted(self._keys.values(), key=lambda key: key.serial)

    async def claim_key(self, key: Key) -> bool:
        self._refuse_when_down()
        if any((other.alg, other.serial) == (key.alg, key.serial) for other in self._keys.values()):
            return False
        self._keys[key.kid] = replace(key)
        return True

    async def transition_key(self, updated: Key, *, was: State) -> bool:
        self._refuse_when_down()
        stored = self._keys.get(updated.kid)
        if stored is None or stored.state is not was:
            return False
        self._keys[updated.kid] = replace(updated, sealed=stored.sealed if updated.sealed else None)
        return True

    async def reseal_key(self, kid: str, sealed: SealedAtRest, *, was: SealedAtRest) -> bool:
        self._refuse_when_down()
        if kid not in self._keys or self._keys[kid].sealed != was:
            return False
        self._keys[kid] = replace(self._keys[kid], sealed=sealed)
        return True

    def _refuse_when_down(self) -> None:
        if self.down:
            raise UNAVAILABLE.error(retry_after=1, part="memory")


class KeysService:
    """One replica: its ASGI app, and background work that runs only when called."""

    def __init__(self, clock: Clock, bus: Bus, store: KeyStore, *, seed: int = 7, **settings: Any) -> None:
        values = {"master_keys": MASTER_KEY, "signing_algorithms": "ES256", **settings}
        self.settings = Settings.model_validate(values)
        self.store = store
        self.parts = Parts(store=store, bus=bus, clock=clock, random=seeded_bytes(seed))
        self.app = create_app(self.settings, parts=self.parts)
        self._rotation = key_rotation_of(self.settings, self.parts)

    async def look_after_keys(self) -> None:
        """Runs the background work once."""
        await self._rotation.reconcile()
