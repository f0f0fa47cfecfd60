"""The gardener: every replica looks after the keys, and the store lets exactly one do each step."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from portico_runtime.bus import Bus
from portico_runtime.clock import Clock

from portico_keys.domain.key import Key
from portico_keys.domain.key_store import KeyStore
from portico_keys.domain.life import Policy, moves_due, next_serial, wait_of_missing
from portico_keys.key_ring import KeyRing
from portico_keys.rotation.announcing import announce
from portico_keys.rotation.making import KeyMaker

INTERVAL: Final = 1.0
"""Seconds between looks: a key another replica moved or took out is noticed within this time."""


@dataclass(frozen=True, slots=True)
class Tending:
    """Keeps a signing key for each algorithm, moves keys on when they are due, keeps the ring fresh."""

    algorithms: tuple[str, ...]
    policy: Policy
    store: KeyStore
    maker: KeyMaker
    ring: KeyRing
    bus: Bus
    clock: Clock

    async def run(self) -> None:
        """One look, then a pause; for `Background`, which goes on for ever."""
        await self.look()
        await asyncio.sleep(INTERVAL)

    async def look(self) -> None:
        """Makes what is missing, does what is due, and shows the result at this replica.

        Raises:
            ServiceError: `unavailable` when the store cannot be asked; what is in memory stays.
        """
        keys = await self._supply(await self.store.list_keys())
        moved: list[Key] = []
        while due := moves_due(keys, self.clock.now(), self.policy):
            states = {key.kid: key.state for key in keys}
            moved += [key for key in due if await self.store.move_key(key, was=states[key.kid])]
            keys = await self.store.list_keys()
        await self.ring.read(self.store)
        for key in moved:
            await announce(self.bus, key)

    async def _supply(self, keys: list[Key]) -> list[Key]:
        made = False
        for alg in self.algorithms:
            wait = wait_of_missing(keys, alg, self.clock.now(), self.policy)
            if wait is not None:
                # The loser of a race has made a key for nothing; it forgets it and uses the winner's.
                await self.store.claim_key(await self.maker.make_key(alg, next_serial(keys, alg), wait))
                made = True
        return await self.store.list_keys() if made else keys
