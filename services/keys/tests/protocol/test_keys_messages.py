from __future__ import annotations

import asyncio

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from portico_contracts.keys import ACTIVE_KEYS, PUBLIC_KEYS, GetActiveKeys, GetPublicKeys
from portico_fakes.clock import FrozenClock
from portico_fakes.keys_service import MASTER_KEY, KeysService, MemoryKeys
from portico_fakes.memory_bus import MemoryBus
from portico_keys.domain.key import State
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.master_keys import MasterKeys

ASKER = X25519PrivateKey.generate().public_key().public_bytes_raw()


@pytest.fixture
def key_records() -> MemoryKeys:
    return MemoryKeys()


@pytest.fixture
async def reconciled(clock: FrozenClock, bus: MemoryBus, key_records: MemoryKeys) -> KeysService:
    """One replica that has created its first key."""
    service = KeysService(clock, bus, key_records)
    await service.look_after_keys()
    return service


async def test_first_key_is_active_at_once(reconciled: KeysService, bus: MemoryBus) -> None:
    """A token replica gets the first key with a lease of a minute, active by any clock."""
    active = await bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=ASKER))

    assert active.lease == 60
    assert [key.activates_at for key in active.keys] == [0.0]


async def test_planned_key_is_distributed_in_advance(
    reconciled: KeysService, bus: MemoryBus, clock: FrozenClock
) -> None:
    """The response has the next key with its activation time, so that all replicas change together."""
    settings = reconciled.settings
    clock.tick(settings.signing_seconds - settings.signing_wait_seconds)
    await reconciled.look_after_keys()
    active = await bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=ASKER))

    assert clock.now() + settings.signing_wait_seconds == max(key.activates_at for key in active.keys)
    assert len(active.keys) == 2


async def test_no_lease_is_granted_from_memory(
    reconciled: KeysService, bus: MemoryBus, key_records: MemoryKeys
) -> None:
    """When the store is unavailable a key may have been revoked, so the response is `unavailable` (P2)."""
    key_records.down = True

    with pytest.raises(ServiceError) as refused:
        await bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=ASKER))
    assert Kind.UNAVAILABLE is refused.value.kind


async def test_public_keys_are_those_of_the_key_set(reconciled: KeysService, bus: MemoryBus) -> None:
    answer = await bus.call(PUBLIC_KEYS, GetPublicKeys())

    assert reconciled.parts.ring.key_set().keys == answer.jwks


async def test_expired_key_verifies_hints(reconciled: KeysService, bus: MemoryBus, clock: FrozenClock) -> None:
    """A retired key is in no document, but its public half is returned for hints while a session can live,
    unless it was revoked.
    """
    settings = reconciled.settings
    [old] = reconciled.parts.ring.key_set().keys
    clock.tick(settings.signing_seconds)
    await reconciled.look_after_keys()  # the next key is published
    clock.tick(settings.signing_wait_seconds)
    await reconciled.look_after_keys()  # it signs, and the old one retires
    retired = await bus.call(PUBLIC_KEYS, GetPublicKeys())
    clock.tick(settings.access_token_seconds + 3_600)
    await reconciled.look_after_keys()
    expired = await bus.call(PUBLIC_KEYS, GetPublicKeys())
    clock.tick(settings.session_seconds)
    last = await bus.call(PUBLIC_KEYS, GetPublicKeys())
    clock.tick(1)
    after = await bus.call(PUBLIC_KEYS, GetPublicKeys())

    assert (old in retired.jwks, retired.expired) == (True, ())
    assert (old in expired.jwks, expired.expired) == (False, (old,))
    assert last.expired == (old,)
    assert after.expired == ()


async def test_two_replicas_starting_at_once_create_one_key(
    clock: FrozenClock, bus: MemoryBus, key_records: MemoryKeys
) -> None:
    replicas = [KeysService(clock, bus, key_records) for _ in range(2)]
    await asyncio.gather(*(replica.look_after_keys() for replica in replicas))
    await asyncio.gather(*(replica.look_after_keys() for replica in replicas))
    [key] = await key_records.list_keys()

    assert [key.kid] == [one["kid"] for one in replicas[0].parts.ring.key_set().keys]
    assert replicas[0].parts.ring.key_set().body == replicas[1].parts.ring.key_set().body


async def test_each_transition_is_published_once(reconciled: KeysService, bus: MemoryBus, clock: FrozenClock) -> None:
    """Publishing, activating and retiring are events, and a second replica repeats none."""
    other = KeysService(clock, bus, reconciled.store)
    clock.tick(reconciled.settings.signing_seconds - reconciled.settings.signing_wait_seconds)
    await reconciled.look_after_keys()
    await other.look_after_keys()
    clock.tick(reconciled.settings.signing_wait_seconds)
    await other.look_after_keys()
    await reconciled.look_after_keys()
    published = [subject.rpartition(".")[2] for subject, _ in bus.published]

    assert published == ["published", "activated", "published", "activated", "retired"]


async def test_unavailable_bus_does_not_stop_key_rotation(
    clock: FrozenClock, bus: MemoryBus, key_records: MemoryKeys
) -> None:
    bus.down = True
    service = KeysService(clock, bus, key_records)
    await service.look_after_keys()

    assert [key.state for key in await key_records.list_keys()] == [State.SIGNING]
    assert len(service.parts.ring.key_set().keys) == 1


async def test_missing_master_key_is_not_ready(
    clock: FrozenClock, bus: MemoryBus, reconciled: KeysService, key_records: MemoryKeys
) -> None:
    """A replica without the right master key could distribute no key; it is not ready and names the missing one (FD-17)."""
    wrong = KeysService(clock, bus, key_records, master_keys="QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=")
    await wrong.look_after_keys()

    state = (await wrong.parts.health.state())["keys"]
    [key] = await key_records.list_keys()

    missing = f"master key {MasterKeys.read(MASTER_KEY).sealing} is missing"
    assert state == f"PORTICO_MASTER_KEYS cannot decrypt signing key {key.kid}: {missing}"
    assert (await reconciled.parts.health.state())["keys"] == "ok"
