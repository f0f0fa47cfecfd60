"""Conformance tests of the key stores, in memory and in MongoDB."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from portico_contracts.events import KEY_PUBLISHED
from portico_contracts.keys import REVOKE_KEY, REWRAP_KEYS, ROTATE_KEYS, RevokeKey, RewrapKeys, RotateKeys
from portico_fakes.clock import FrozenClock
from portico_fakes.keys_service import KeysService, MemoryKeys
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.randomness import seeded_bytes
from portico_harness.servers import RunningMongo
from portico_keys.domain.key import Key, State
from portico_keys.domain.key_store import KeyStore
from portico_keys.mongo_keys import COLLECTION, MongoKeys
from portico_keys.rotation.key_generator import KeyGenerator
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.master_keys import MasterKeys, SealedAtRest
from portico_runtime.mongo.client import MongoClient
from portico_runtime.settings.sections.mongo import MongoSection
from pydantic import SecretStr


@pytest.fixture
async def keys_mongo(mongo_server: RunningMongo) -> AsyncIterator[MongoClient]:
    client = MongoClient(mongo_server.section("keys"), "keys")
    await client.database[COLLECTION].drop()
    yield client
    await client.database[COLLECTION].drop()
    await client.close()


@pytest.fixture(params=["memory", pytest.param("mongo", marks=pytest.mark.servers)])
def some_key_store(request: pytest.FixtureRequest) -> KeyStore:
    if request.param == "memory":
        return MemoryKeys()
    return MongoKeys(request.getfixturevalue("keys_mongo").database)


def a_key(serial: int = 1, alg: str = "ES256", kid: str = "") -> Key:
    return Key(
        kid=kid or f"{alg}-{serial}",
        alg=alg,
        serial=serial,
        wait=10.0,
        state=State.CREATED,
        since=1_790_000_000.5,
        jwk={"kty": "EC", "kid": kid},
        sealed=SealedAtRest("abc", b"n" * 12, b"sealed"),
    )


async def test_claimed_key_is_read_back_unchanged(some_key_store: KeyStore) -> None:
    key = a_key()

    assert await some_key_store.claim_key(key)
    assert [key] == await some_key_store.list_keys()


async def test_serial_is_claimed_once(some_key_store: KeyStore) -> None:
    """Of many concurrent claims of one serial exactly one succeeds."""
    claims = [a_key(kid=f"k{number}") for number in range(20)]
    won = await asyncio.gather(*(some_key_store.claim_key(key) for key in claims))

    assert sum(won) == 1
    assert [claims[won.index(True)]] == await some_key_store.list_keys()


async def test_serials_are_counted_by_algorithm(some_key_store: KeyStore) -> None:
    assert await some_key_store.claim_key(a_key(alg="ES256"))
    assert await some_key_store.claim_key(a_key(alg="RS256"))


async def test_transition_is_stored_once(some_key_store: KeyStore) -> None:
    """Of many replicas that find a key due exactly one stores its transition."""
    key = a_key()
    await some_key_store.claim_key(key)
    transitioned = [key.transitioned(State.PUBLISHED, 1_790_000_001.0 + number) for number in range(20)]
    won = await asyncio.gather(*(some_key_store.transition_key(one, was=State.CREATED) for one in transitioned))

    assert sum(won) == 1
    assert [transitioned[won.index(True)]] == await some_key_store.list_keys()


async def test_unclaimed_key_has_no_transition(some_key_store: KeyStore) -> None:
    assert not await some_key_store.transition_key(a_key(), was=State.CREATED)
    assert await some_key_store.list_keys() == []


async def test_expired_key_keeps_its_serial_without_private_half(some_key_store: KeyStore) -> None:
    key = replace(a_key(), state=State.RETIRED)
    await some_key_store.claim_key(key)
    await some_key_store.transition_key(key.transitioned(State.EXPIRED, 1_790_000_002.0), was=State.RETIRED)
    [gone] = await some_key_store.list_keys()

    assert gone.sealed is None
    assert not await some_key_store.claim_key(a_key(kid="another"))


async def test_private_half_is_resealed_once(some_key_store: KeyStore) -> None:
    """Of many replicas that reseal a key exactly one succeeds, and nothing else of the key changes."""
    key = a_key()
    assert key.sealed is not None
    was = key.sealed
    await some_key_store.claim_key(key)
    anew = [SealedAtRest("new", b"n" * 12, f"sealed {number}".encode()) for number in range(10)]
    won = await asyncio.gather(*(some_key_store.reseal_key(key.kid, one, was=was) for one in anew))

    assert sum(won) == 1
    assert await some_key_store.list_keys() == [replace(key, sealed=anew[won.index(True)])]


async def test_transition_keeps_a_newer_seal(some_key_store: KeyStore) -> None:
    """A replica that read a key before it was resealed may still move it, without restoring the older seal."""
    key = a_key()
    assert key.sealed is not None
    await some_key_store.claim_key(key)
    anew = SealedAtRest("new", b"n" * 12, b"sealed anew")
    await some_key_store.reseal_key(key.kid, anew, was=key.sealed)
    await some_key_store.transition_key(key.transitioned(State.PUBLISHED, 1_790_000_001.0), was=State.CREATED)
    [transitioned] = await some_key_store.list_keys()

    assert (transitioned.state, transitioned.sealed) == (State.PUBLISHED, anew)


async def test_deleted_private_half_stays_deleted(some_key_store: KeyStore) -> None:
    """Resealing never restores the private half of a key that was revoked meanwhile."""
    key = a_key()
    assert key.sealed is not None
    await some_key_store.claim_key(key)
    await some_key_store.transition_key(key.transitioned(State.REVOKED, 1_790_000_001.0), was=State.CREATED)

    assert not await some_key_store.reseal_key(key.kid, SealedAtRest("new", b"n", b"d"), was=key.sealed)
    assert [one.sealed for one in await some_key_store.list_keys()] == [None]


@pytest.mark.servers
async def test_database_contains_no_private_key_in_clear(keys_mongo: MongoClient, clock: FrozenClock) -> None:
    """A dump of the database contains no bytes of a private key (IN-09)."""
    master = MasterKeys([b"m" * 32])
    made = await KeyGenerator(master, clock, seeded_bytes(3), 2048).generate_key("RS256", 1, 0)
    await MongoKeys(keys_mongo.database).claim_key(made)
    assert made.sealed is not None
    private = master.unseal(made.sealed, made.bound_to)
    dump = b"".join([raw async for raw in _raw_documents(keys_mongo)])

    assert made.kid.encode() in dump
    # The private half of the DER, after the public modulus: no 16 bytes of it are in the dump.
    assert not any(private[start : start + 16] in dump for start in range(320, len(private) - 16))


async def _raw_documents(client: MongoClient) -> AsyncIterator[bytes]:
    async for batch in client.database[COLLECTION].find_raw_batches():
        yield batch


@pytest.mark.servers
async def test_replicas_starting_at_once_create_one_key(
    keys_mongo: MongoClient, clock: FrozenClock, bus: MemoryBus
) -> None:
    """Four replicas on an empty database create one key and serve the same key set."""
    replicas = [KeysService(clock, bus, MongoKeys(keys_mongo.database)) for _ in range(4)]
    await asyncio.gather(*(replica.look_after_keys() for replica in replicas))
    await asyncio.gather(*(replica.look_after_keys() for replica in replicas))

    assert await keys_mongo.database[COLLECTION].count_documents({}) == 1
    assert len({replica.parts.ring.key_set().etag for replica in replicas}) == 1


@pytest.mark.servers
async def test_unreachable_database_is_unavailable(mongo_server: RunningMongo) -> None:
    """No driver error leaves the store (P2)."""
    nowhere = MongoSection(mongo_url="mongodb://127.0.0.1:9", mongo_password=SecretStr("x"), mongo_timeout=0.2)
    client = MongoClient(nowhere, "keys")

    with pytest.raises(ServiceError) as refused:
        await MongoKeys(client.database).list_keys()
    assert Kind.UNAVAILABLE is refused.value.kind
    await client.close()


class MetStore(MongoKeys):
    """The store of a replica whose first read waits until all others have read too."""

    def __init__(self, client: MongoClient, meeting: asyncio.Barrier) -> None:
        super().__init__(client.database)
        self._meeting = meeting
        self._met = False

    async def list_keys(self) -> list[Key]:
        keys = await super().list_keys()
        if not self._met:
            self._met = True
            await self._meeting.wait()
        return keys


async def first_key(client: MongoClient, clock: FrozenClock) -> Key:
    store = MongoKeys(client.database)
    await KeysService(clock, MemoryBus(), store, seed=99).look_after_keys()
    [key] = await store.list_keys()
    clock.tick(100)
    return key


def meeting_buses(client: MongoClient, clock: FrozenClock, count: int) -> list[MemoryBus]:
    """Returns replicas, each on its own bus, that all read the keys before any of them writes."""
    meeting = asyncio.Barrier(count)
    buses = [MemoryBus() for _ in range(count)]
    for seed, one in enumerate(buses):
        KeysService(clock, one, MetStore(client, meeting), seed=seed)
    return buses


@pytest.mark.servers
async def test_two_concurrent_rotations_are_one(keys_mongo: MongoClient, clock: FrozenClock) -> None:
    """One new key is created and published once, and both replicas return it."""
    old = await first_key(keys_mongo, clock)
    buses = meeting_buses(keys_mongo, clock, 2)
    listed = await asyncio.gather(*(one.call(ROTATE_KEYS, RotateKeys(now=True)) for one in buses))
    published = Counter(subject for one in buses for subject, _ in one.published)

    assert [key.state for key in listed[0].keys] == ["published", "signing"]
    assert {key.kid for key in listed[0].keys} == {key.kid for key in listed[1].keys} > {old.kid}
    assert published == {KEY_PUBLISHED.subject: 1}


@pytest.mark.servers
async def test_concurrent_revocations_leave_one_signing_key(keys_mongo: MongoClient, clock: FrozenClock) -> None:
    """Four equal requests at once revoke once, create one successor, and all succeed."""
    old = await first_key(keys_mongo, clock)
    buses = meeting_buses(keys_mongo, clock, 4)
    await asyncio.gather(*(one.call(REVOKE_KEY, RevokeKey(kid=old.kid)) for one in buses))
    states = Counter(key.state for key in await MongoKeys(keys_mongo.database).list_keys())

    assert states == {State.REVOKED: 1, State.SIGNING: 1}


@pytest.mark.servers
async def test_concurrent_key_operations_end_consistently(keys_mongo: MongoClient, clock: FrozenClock) -> None:
    """After concurrent rotations, revocations and reconciliations one key signs and replicas agree."""
    old = await first_key(keys_mongo, clock)
    store = MongoKeys(keys_mongo.database)
    buses = [MemoryBus() for _ in range(4)]
    replicas = [KeysService(clock, one, store, seed=seed) for seed, one in enumerate(buses)]
    for _ in range(5):
        await asyncio.gather(
            buses[0].call(ROTATE_KEYS, RotateKeys(now=True)),
            buses[1].call(ROTATE_KEYS, RotateKeys()),
            buses[2].call(REVOKE_KEY, RevokeKey(kid=old.kid)),
            buses[3].call(REWRAP_KEYS, RewrapKeys()),
            *(replica.look_after_keys() for replica in replicas),
        )
        clock.tick(10)
        await asyncio.gather(*(replica.look_after_keys() for replica in replicas))
        keys = await store.list_keys()
        [signing] = [key for key in keys if key.state is State.SIGNING]

        assert not [key for key in keys if key.state is State.CREATED]
        assert len({(key.alg, key.serial) for key in keys}) == len(keys)
        assert len({replica.parts.ring.key_set().etag for replica in replicas}) == 1
        old = signing
