from __future__ import annotations

import asyncio
import base64
import itertools
from collections import Counter
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
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
    RevokeKey,
    RewrapKeys,
    RotateKeys,
)
from portico_contracts.subjects import Message, Rpc
from portico_fakes.clock import FrozenClock
from portico_fakes.keys_service import MASTER_KEY, KeysService, MemoryKeys
from portico_fakes.memory_bus import MemoryBus
from portico_keys.domain.key import Key, State
from portico_oauth.errors import Kind, ServiceError

ASKER = X25519PrivateKey.generate().public_key().public_bytes_raw()
NEW_MASTER = base64.b64encode(b"n" * 32).decode()
LONGEST_TOKEN = 3_600 + 5
"""An id_token of a client whose clock is as far off as allowed (decision 0021)."""


@pytest.fixture
def kept() -> MemoryKeys:
    return MemoryKeys()


@pytest.fixture
async def keeper(clock: FrozenClock, bus: MemoryBus, kept: MemoryKeys) -> KeysService:
    """One replica for ES256 and EdDSA that has created its first keys."""
    service = KeysService(clock, bus, kept, signing_algorithms="ES256,EdDSA")
    await service.look_after_keys()
    return service


async def states(bus: MemoryBus, alg: str = "ES256") -> list[KeyState]:
    """Returns the keys of one algorithm, newest first."""
    return [key for key in (await bus.call(KEY_STATES, GetKeyStates())).keys if key.alg == alg]


async def active(bus: MemoryBus) -> ActiveKeys:
    """Returns what a token replica gets."""
    return await bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=ASKER))


async def key_set(bus: MemoryBus) -> set[str]:
    return {jwk["kid"] for jwk in (await bus.call(PUBLIC_KEYS, GetPublicKeys())).jwks}


@pytest.mark.parametrize(("now", "wait"), [(False, 3_600), (True, 10)])
async def test_new_key_is_published_now_and_signs_later(
    keeper: KeysService, bus: MemoryBus, clock: FrozenClock, now: bool, wait: float
) -> None:
    """The waiting time is an hour, or ten seconds for an urgent rotation, and the old key stays published."""
    listed = await bus.call(ROTATE_KEYS, RotateKeys(alg="ES256", now=now))
    new, old = (key for key in listed.keys if key.alg == "ES256")
    clock.tick(wait - 0.1)
    await keeper.look_after_keys()
    before = [key.state for key in await states(bus)]
    clock.tick(0.1)
    await keeper.look_after_keys()

    assert (new.state, new.activates_at) == ("published", clock.now())
    assert before == ["published", "signing"]
    assert [key.state for key in await states(bus)] == ["signing", "retired"]
    assert {new.kid, old.kid} < await key_set(bus)


async def test_several_published_keys_may_wait(keeper: KeysService, bus: MemoryBus) -> None:
    for now in (False, True, False):
        await bus.call(ROTATE_KEYS, RotateKeys(alg="ES256", now=now))
    listed = await states(bus)
    handed = [key for key in (await active(bus)).keys if key.alg == "ES256"]

    assert [key.state for key in listed] == ["published", "published", "published", "signing"]
    assert {key.kid for key in listed} < await key_set(bus)
    assert sorted(key.activates_at for key in handed)[1:] == sorted(key.activates_at for key in listed[:3])


async def test_without_an_algorithm_each_gets_a_new_key(keeper: KeysService, bus: MemoryBus) -> None:
    await bus.call(ROTATE_KEYS, RotateKeys())

    assert [len(await states(bus, alg)) for alg in ("ES256", "EdDSA")] == [2, 2]


@pytest.mark.parametrize("alg", ["RS256", "HS256", "none"])
async def test_unconfigured_algorithm_is_refused(keeper: KeysService, bus: MemoryBus, alg: str) -> None:
    with pytest.raises(ServiceError) as refused:
        await bus.call(ROTATE_KEYS, RotateKeys(alg=alg))

    assert (refused.value.id, refused.value.kind) == ("KEYS-006", Kind.INVALID_REQUEST)
    assert await states(bus, alg) == []


async def test_revoked_key_is_replaced_at_once(keeper: KeysService, bus: MemoryBus) -> None:
    """The revoked key leaves the key set and is not distributed, and the new one signs at once (IR-16)."""
    [old] = await states(bus)
    await bus.call(REVOKE_KEY, RevokeKey(kid=old.kid))
    new, revoked = await states(bus)
    handed = {key.kid: key.activates_at for key in (await active(bus)).keys if key.alg == "ES256"}

    assert [(new.state, revoked.state, revoked.kid)] == [("signing", "revoked", old.kid)]
    assert handed == {new.kid: 0.0}
    assert old.kid not in await key_set(bus)
    assert (await bus.call(PUBLIC_KEYS, GetPublicKeys())).revoked == (old.kid,)


async def test_revocation_is_published_after_the_next_key(
    keeper: KeysService, bus: MemoryBus, clock: FrozenClock
) -> None:
    """Before a revocation is published, its successor is published and may sign (IR-16)."""
    [old] = await states(bus)
    found: list[set[str]] = []

    async def hear(_said: KeyEvent) -> None:
        found.append({key.kid for key in (await active(bus)).keys if key.alg == "ES256"})

    bus.subscribe(KEY_REVOKED, hear)
    announced = len(bus.published)
    clock.tick(1)
    await bus.call(REVOKE_KEY, RevokeKey(kid=old.kid))
    published = [(subject.rpartition(".")[2], body.kid) for subject, body in bus.published[announced:]]
    new = (await states(bus))[0].kid

    assert found == [{new}]
    assert published == [("published", new), ("activated", new), ("retired", old.kid), ("revoked", old.kid)]


async def test_waiting_key_replaces_a_revoked_one(keeper: KeysService, bus: MemoryBus) -> None:
    """The next waiting key is in the key set already, so no other is created."""
    for now in (True, False):
        await bus.call(ROTATE_KEYS, RotateKeys(alg="ES256", now=now))
    last, first, signing = await states(bus)
    await bus.call(REVOKE_KEY, RevokeKey(kid=signing.kid))

    assert [(key.kid, key.state) for key in await states(bus)] == [
        (last.kid, "published"),
        (first.kid, "signing"),
        (signing.kid, "revoked"),
    ]


@pytest.mark.parametrize("state", ["published", "retired"])
async def test_revoking_an_inactive_key_changes_no_other(
    keeper: KeysService, bus: MemoryBus, clock: FrozenClock, state: str
) -> None:
    await bus.call(ROTATE_KEYS, RotateKeys(alg="ES256", now=True))
    if state == "retired":
        clock.tick(10)
        await keeper.look_after_keys()
    keys = {key.state: key.kid for key in await states(bus)}
    await bus.call(REVOKE_KEY, RevokeKey(kid=keys[state]))

    assert {key.state: key.kid for key in await states(bus)} == {"signing": keys["signing"], "revoked": keys[state]}


async def test_revoking_twice_is_idempotent(keeper: KeysService, bus: MemoryBus) -> None:
    """The second request only publishes the event again."""
    [old] = await states(bus)
    once = await bus.call(REVOKE_KEY, RevokeKey(kid=old.kid))
    twice = await bus.call(REVOKE_KEY, RevokeKey(kid=old.kid))

    assert twice == once
    assert [subject for subject, _ in bus.published].count(KEY_REVOKED.subject) == 2


async def test_unknown_key_is_not_found(keeper: KeysService, bus: MemoryBus) -> None:
    before = await states(bus)
    with pytest.raises(ServiceError) as refused:
        await bus.call(REVOKE_KEY, RevokeKey(kid="unknown"))

    assert (refused.value.id, refused.value.kind) == ("KEYS-005", Kind.NOT_FOUND)
    assert await states(bus) == before


async def test_expired_key_is_not_found(keeper: KeysService, bus: MemoryBus, clock: FrozenClock) -> None:
    [old] = await states(bus)
    await bus.call(ROTATE_KEYS, RotateKeys(alg="ES256", now=True))
    clock.tick(10)
    await keeper.look_after_keys()
    clock.tick(LONGEST_TOKEN + 60 + 120)
    await keeper.look_after_keys()

    assert [key.state for key in await states(bus)] == ["signing"]
    with pytest.raises(ServiceError, match="KEYS-005"):
        await bus.call(REVOKE_KEY, RevokeKey(kid=old.kid))


async def test_retired_key_stays_until_its_last_token_expires(
    keeper: KeysService, bus: MemoryBus, clock: FrozenClock
) -> None:
    """The time includes the last token, a lease and the clock differences (IR-16)."""
    [old] = await states(bus)
    await bus.call(ROTATE_KEYS, RotateKeys(alg="ES256", now=True))
    clock.tick(10)
    await keeper.look_after_keys()
    clock.tick(LONGEST_TOKEN + 60 + 120 - 0.1)
    await keeper.look_after_keys()

    assert old.kid in await key_set(bus)


async def test_revoked_key_is_listed_while_its_tokens_could_live(
    keeper: KeysService, bus: MemoryBus, clock: FrozenClock
) -> None:
    [old] = await states(bus)
    await bus.call(REVOKE_KEY, RevokeKey(kid=old.kid))
    clock.tick(LONGEST_TOKEN + 60 + 120)
    last = (await bus.call(PUBLIC_KEYS, GetPublicKeys())).revoked
    clock.tick(0.1)

    assert last == (old.kid,)
    assert (await bus.call(PUBLIC_KEYS, GetPublicKeys())).revoked == ()


async def test_revocation_by_another_replica_needs_no_store(
    keeper: KeysService, bus: MemoryBus, kept: MemoryKeys
) -> None:
    [old] = await states(bus)
    kept.down = True
    event = KeyEvent(event_id="r", kid=old.kid, at=keeper.parts.clock.now())
    await bus.publish(KEY_REVOKED, event, event_id="r")

    assert old.kid not in await key_set(bus)
    assert old.kid.encode() not in keeper.parts.ring.key_set().body


async def test_without_the_store_nothing_changes(keeper: KeysService, bus: MemoryBus, kept: MemoryKeys) -> None:
    before = await states(bus)
    kept.down = True
    questions: list[tuple[Rpc[Any, Any], Message]] = [
        (ROTATE_KEYS, RotateKeys()),
        (REVOKE_KEY, RevokeKey(kid=before[0].kid)),
        (REWRAP_KEYS, RewrapKeys()),
        (KEY_STATES, GetKeyStates()),
    ]
    for rpc, ask in questions:
        with pytest.raises(ServiceError) as refused:
            await bus.call(rpc, ask)
        assert Kind.UNAVAILABLE is refused.value.kind
    kept.down = False

    assert await states(bus) == before


async def test_concurrent_requests_are_one_rotation(
    clock: FrozenClock, bus: MemoryBus, keeper: KeysService, kept: MemoryKeys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of ten replicas with the same request one creates the key and publishes it once."""
    buses = [MemoryBus() for _ in range(10)]
    list_keys, listed, lists = kept.list_keys, asyncio.Barrier(len(buses)), itertools.count()

    async def list_together() -> list[Key]:
        found = await list_keys()
        if next(lists) < len(buses):
            await listed.wait()
        return found

    for seed, one in enumerate(buses):
        KeysService(clock, one, kept, seed=seed, signing_algorithms="ES256")
    monkeypatch.setattr(kept, "list_keys", list_together)
    await asyncio.gather(*(one.call(ROTATE_KEYS, RotateKeys(now=True)) for one in buses))
    published = Counter(subject for one in buses for subject, _ in one.published)

    assert [key.state for key in await states(bus)] == ["published", "signing"]
    assert published == {KEY_PUBLISHED.subject: 1}


async def test_urgent_rotation_does_not_reuse_a_planned_key(
    clock: FrozenClock, bus: MemoryBus, keeper: KeysService, kept: MemoryKeys
) -> None:
    planned, hurried = MemoryBus(), MemoryBus()
    for seed, one in enumerate((planned, hurried)):
        KeysService(clock, one, kept, seed=seed, signing_algorithms="ES256")
    await asyncio.gather(planned.call(ROTATE_KEYS, RotateKeys()), hurried.call(ROTATE_KEYS, RotateKeys(now=True)))

    assert clock.now() + 10 in [key.activates_at for key in await states(bus)]


async def test_after_resealing_the_old_master_key_is_not_needed(
    clock: FrozenClock, keeper: KeysService, bus: MemoryBus, kept: MemoryKeys
) -> None:
    before = {key.kid for key in (await active(bus)).keys}
    both, new_only = MemoryBus(), MemoryBus()
    KeysService(clock, both, kept, master_keys=f"{NEW_MASTER},{MASTER_KEY}")
    KeysService(clock, new_only, kept, master_keys=NEW_MASTER)
    with pytest.raises(ServiceError, match="KEYS-003"):
        await active(new_only)
    listed = await both.call(REWRAP_KEYS, RewrapKeys())

    assert {key.kid for key in (await active(new_only)).keys} == before == {key.kid for key in listed.keys}
    with pytest.raises(ServiceError, match="KEYS-003"):
        await active(bus)


async def test_unsealable_key_is_reported_after_the_others(
    clock: FrozenClock, keeper: KeysService, bus: MemoryBus, kept: MemoryKeys
) -> None:
    """A key under an unconfigured master key gives an error, but all others are resealed."""
    lost_bus, new_bus = MemoryBus(), MemoryBus()
    lost = KeysService(clock, lost_bus, kept, seed=3, master_keys=base64.b64encode(b"l" * 32).decode())
    await lost_bus.call(ROTATE_KEYS, RotateKeys(alg="ES256"))
    KeysService(clock, new_bus, kept, seed=4, master_keys=f"{NEW_MASTER},{MASTER_KEY}")
    with pytest.raises(ServiceError) as refused:
        await new_bus.call(REWRAP_KEYS, RewrapKeys())
    under = Counter(key.sealed.master for key in await lost.store.list_keys() if key.sealed)

    assert refused.value.id == "KEYS-003"
    assert sorted(under.values()) == [1, 2]


async def test_retired_key_has_no_private_half(
    clock: FrozenClock, keeper: KeysService, bus: MemoryBus, kept: MemoryKeys
) -> None:
    """The private half is deleted when a key retires or is revoked (IN-09)."""
    [old] = await states(bus)
    await bus.call(ROTATE_KEYS, RotateKeys(alg="ES256", now=True))
    clock.tick(10)
    await keeper.look_after_keys()
    [revoked] = await states(bus, "EdDSA")
    await bus.call(REVOKE_KEY, RevokeKey(kid=revoked.kid))
    ended = [key for key in await kept.list_keys() if key.kid in (old.kid, revoked.kid)]

    assert [(key.state, key.sealed) for key in ended] == [(State.RETIRED, None), (State.REVOKED, None)]
