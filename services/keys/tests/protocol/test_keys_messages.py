"""The requests keys answers and the events it publishes on the bus."""

from __future__ import annotations

import asyncio

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from portico_contracts.keys import ACTIVE_KEYS, PUBLIC_KEYS, GetActiveKeys, GetPublicKeys
from portico_fakes.clock import FrozenClock
from portico_fakes.keys_service import KeysService, MemoryKeys
from portico_fakes.memory_bus import MemoryBus
from portico_keys.domain.key import State
from portico_oauth.errors import Kind, ServiceError

ASKER = X25519PrivateKey.generate().public_key().public_bytes_raw()


@pytest.fixture
def key_records() -> MemoryKeys:
    """Keys in memory."""
    return MemoryKeys()


@pytest.fixture
async def reconciled(clock: FrozenClock, bus: MemoryBus, key_records: MemoryKeys) -> KeysService:
    """One replica that has made its first key."""
    service = KeysService(clock, bus, key_records)
    await service.look_after_keys()
    return service


async def test_the_first_key_may_be_used_at_once(reconciled: KeysService, bus: MemoryBus) -> None:
    """A token replica gets the first key, active by any clock of its own, as a lease of a minute."""
    active = await bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=ASKER))

    assert active.lease == 60
    assert [key.activates_at for key in active.keys] == [0.0]


async def test_a_planned_key_is_distributed_ahead_of_its_time(
    reconciled: KeysService, bus: MemoryBus, clock: FrozenClock
) -> None:
    """The response carries the next key with its activation time, so that all replicas change at the same time."""
    settings = reconciled.settings
    clock.tick(settings.signing_seconds - settings.signing_wait_seconds)
    await reconciled.look_after_keys()
    active = await bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=ASKER))

    assert clock.now() + settings.signing_wait_seconds == max(key.activates_at for key in active.keys)
    assert len(active.keys) == 2


async def test_no_lease_is_given_from_memory(reconciled: KeysService, bus: MemoryBus, key_records: MemoryKeys) -> None:
    """When the store is unavailable, a key may have been revoked: so is the response (P2)."""
    key_records.down = True

    with pytest.raises(ServiceError) as refused:
        await bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=ASKER))
    assert Kind.UNAVAILABLE is refused.value.kind


async def test_public_keys_are_those_of_the_key_set(reconciled: KeysService, bus: MemoryBus) -> None:
    """The bus and the document have the same keys, also while the store is down."""
    answer = await bus.call(PUBLIC_KEYS, GetPublicKeys())

    assert reconciled.parts.ring.key_set().keys == answer.jwks


async def test_an_expired_key_verifies_hints_as_long_as_a_session_can_live(
    reconciled: KeysService, bus: MemoryBus, clock: FrozenClock
) -> None:
    """It is in no document any more, and its public half is given to those who read hints; a revoked one is not."""
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


async def test_two_replicas_starting_at_once_make_one_key(
    clock: FrozenClock, bus: MemoryBus, key_records: MemoryKeys
) -> None:
    """Both generate a key, one claims it, and both serve the same key."""
    replicas = [KeysService(clock, bus, key_records) for _ in range(2)]
    await asyncio.gather(*(replica.look_after_keys() for replica in replicas))
    await asyncio.gather(*(replica.look_after_keys() for replica in replicas))
    [key] = await key_records.list_keys()

    assert [key.kid] == [one["kid"] for one in replicas[0].parts.ring.key_set().keys]
    assert replicas[0].parts.ring.key_set().body == replicas[1].parts.ring.key_set().body


async def test_each_transition_is_published_once(reconciled: KeysService, bus: MemoryBus, clock: FrozenClock) -> None:
    """Publishing, activating and retiring are events; a second replica repeats none of them."""
    other = KeysService(clock, bus, reconciled.store)
    clock.tick(reconciled.settings.signing_seconds - reconciled.settings.signing_wait_seconds)
    await reconciled.look_after_keys()
    await other.look_after_keys()
    clock.tick(reconciled.settings.signing_wait_seconds)
    await other.look_after_keys()
    await reconciled.look_after_keys()
    published = [subject.rpartition(".")[2] for subject, _ in bus.published]

    assert published == ["published", "activated", "published", "activated", "retired"]


async def test_a_bus_that_is_down_does_not_stop_the_life_of_keys(
    clock: FrozenClock, bus: MemoryBus, key_records: MemoryKeys
) -> None:
    """An event is a hint: without the bus the key is created and served all the same."""
    bus.down = True
    service = KeysService(clock, bus, key_records)
    await service.look_after_keys()

    assert [key.state for key in await key_records.list_keys()] == [State.SIGNING]
    assert len(service.parts.ring.key_set().keys) == 1


async def test_readiness_knows_a_missing_master_key(
    clock: FrozenClock, bus: MemoryBus, reconciled: KeysService, key_records: MemoryKeys
) -> None:
    """A replica that could distribute no key is not ready, and the one with the right master key is (FD-17)."""
    wrong = KeysService(clock, bus, key_records, master_keys="QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=")
    await wrong.look_after_keys()

    assert (await wrong.parts.health.state())["keys"] == "ServiceError"
    assert (await reconciled.parts.health.state())["keys"] == "ok"
