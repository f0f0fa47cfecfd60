"""`portico migrate` seals stored keys under the newest master key (decision 0078)."""

from __future__ import annotations

import base64

from portico_contracts.keys import ROTATE_KEYS, RotateKeys
from portico_contracts.migrations import KEYS_MIGRATE_BATCH, KEYS_MIGRATIONS, ListMigrations, MigrateBatch
from portico_fakes.clock import FrozenClock
from portico_fakes.keys_service import MASTER_KEY, KeysService, MemoryKeys
from portico_fakes.memory_bus import MemoryBus

NEW_MASTER = base64.b64encode(b"n" * 32).decode()
LOST_MASTER = base64.b64encode(b"l" * 32).decode()


async def test_keys_are_resealed_and_failures_are_counted(clock: FrozenClock) -> None:
    """A second run finds only the keys that could not be unsealed, which are unchanged."""
    store, old_bus, lost_bus, new_bus = MemoryKeys(), MemoryBus(), MemoryBus(), MemoryBus()
    await KeysService(clock, old_bus, store, master_keys=MASTER_KEY).look_after_keys()
    KeysService(clock, lost_bus, store, seed=3, master_keys=LOST_MASTER)
    await lost_bus.call(ROTATE_KEYS, RotateKeys(alg="ES256"))
    KeysService(clock, new_bus, store, seed=4, master_keys=f"{NEW_MASTER},{MASTER_KEY}")
    before = await new_bus.call(KEYS_MIGRATIONS, ListMigrations())
    done = [await new_bus.call(KEYS_MIGRATE_BATCH, MigrateBatch(name="signing-keys")) for _ in range(2)]
    after = await new_bus.call(KEYS_MIGRATIONS, ListMigrations())

    assert [one.left for one in (*before.migrations, *after.migrations)] == [2, 1]
    assert [(one.changed, one.failed, one.after) for one in done] == [(1, 1, None), (0, 1, None)]
