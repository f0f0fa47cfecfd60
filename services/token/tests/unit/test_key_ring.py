"""The keys in memory, with events, requests and responses in any order."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from portico_contracts.events import KEY_REVOKED, KeyEvent
from portico_contracts.keys import ACTIVE_KEYS
from portico_contracts.subjects import Rpc
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.token_peers import FakeKeys, PlannedKey
from portico_oauth.errors import ServiceError
from portico_oauth.jose import SigningKey
from portico_token.signing.key_ring import KeyRing
from prometheus_client import REGISTRY

OLD, NEW = (SigningKey.generate(kid, "ES256") for kid in ("old", "new"))


class SlowBus(MemoryBus):
    """A bus whose answers arrive when the test lets them."""

    def __init__(self) -> None:
        super().__init__()
        self.arrived = asyncio.Event()
        self.arrived.set()

    async def call(self, rpc: Rpc[Any, Any], message: Any, *, seconds: float | None = None) -> Any:
        """See `Bus.call`."""
        reply = await super().call(rpc, message, seconds=seconds)
        await self.arrived.wait()
        return reply


@pytest.fixture
def slow_bus() -> SlowBus:
    """Not slow yet."""
    return SlowBus()


@pytest.fixture
def played(slow_bus: SlowBus) -> FakeKeys:
    """Keys with one key."""
    return FakeKeys(slow_bus, [OLD])


@pytest.fixture
async def ring(slow_bus: SlowBus, played: FakeKeys, clock: FrozenClock) -> KeyRing:
    """A ring with its first lease, hearing events."""
    ring = KeyRing(slow_bus, clock, clock.now)
    ring.listen()
    await ring.renew()
    return ring


async def revoke(bus: MemoryBus, kid: str) -> None:
    """The event of keys when a key is revoked."""
    await bus.publish(KEY_REVOKED, KeyEvent(event_id=kid, kid=kid, at=0.0), event_id=kid)


async def test_an_answer_under_way_does_not_bring_back_a_revoked_key(
    ring: KeyRing, slow_bus: SlowBus, played: FakeKeys
) -> None:
    """The event of a revocation overtakes an older response, which still counts for all other keys (IR-16)."""
    played.signing.append(PlannedKey(NEW, 1.0))
    slow_bus.arrived.clear()
    renewing = asyncio.create_task(ring.renew())
    await asyncio.sleep(0)
    subscribed = asyncio.create_task(revoke(slow_bus, "new"))
    await asyncio.sleep(0)
    slow_bus.arrived.set()
    await asyncio.gather(renewing, subscribed)
    await ring.renew()  # another replica of keys may be behind

    assert ring.signing_key("ES256").kid == "old"
    assert ring.find_verification_key("new") is None


async def test_the_successor_signs_before_a_revoked_key_is_removed(
    ring: KeyRing, slow_bus: SlowBus, played: FakeKeys
) -> None:
    """At every time of the change some key signs: no request is refused (IR-16)."""
    played.signing = [PlannedKey(NEW)]
    played.published = [NEW]
    slow_bus.arrived.clear()
    subscribed = asyncio.create_task(revoke(slow_bus, "old"))
    await asyncio.sleep(0)
    during = ring.signing_key("ES256").kid
    slow_bus.arrived.set()
    await subscribed

    assert (during, ring.signing_key("ES256").kid) == ("old", "new")


async def test_an_answer_from_before_the_revocation_leaves_no_gap(
    ring: KeyRing, slow_bus: SlowBus, played: FakeKeys
) -> None:
    """A response from before the successor was created arrives after its activation (IR-16)."""
    slow_bus.arrived.clear()
    renewing = asyncio.create_task(ring.renew())
    await turns()
    played.signing = [PlannedKey(NEW)]
    played.published = [NEW]
    subscribed = asyncio.create_task(revoke(slow_bus, "old"))
    await turns()
    slow_bus.arrived.set()
    signed_with = []
    while not (renewing.done() and subscribed.done()):
        signed_with.append(ring.signing_key("ES256").kid)
        await asyncio.sleep(0)

    assert set(signed_with) == {"old", "new"}
    assert ring.signing_key("ES256").kid == "new"


async def test_without_keys_a_revoked_key_goes_all_the_same(ring: KeyRing, slow_bus: SlowBus) -> None:
    """Without a successor it is better to issue no token than one of a revoked key (P2, IR-16)."""
    slow_bus.silent.add(ACTIVE_KEYS.subject)
    await revoke(slow_bus, "old")

    with pytest.raises(ServiceError, match="TOKEN-050"):
        ring.signing_key("ES256")
    assert ring.find_verification_key("old") is None


async def test_a_key_that_signs_here_verifies_here(ring: KeyRing, played: FakeKeys) -> None:
    """The key set may come from a replica of keys that had not read the newest key yet."""
    played.signing.append(PlannedKey(NEW, 1.0))
    await ring.renew()
    key = ring.find_verification_key("new")

    assert ring.signing_key("ES256").kid == "new"
    assert key is not None
    assert key.verify(NEW.sign(b'{"sub":"1"}')) == {"sub": "1"}


@pytest.mark.parametrize(("seconds", "asks"), [(0.9, False), (1.0, True)])
async def test_an_unknown_key_is_requested_at_most_once_a_second(
    ring: KeyRing, clock: FrozenClock, seconds: float, asks: bool
) -> None:
    """A token with a key unknown to this replica triggers one renewal; a flood of such tokens triggers no more."""
    keeping = asyncio.create_task(ring.renew_periodically())
    await turns()
    clock.tick(seconds)
    ring.find_verification_key("new")
    await turns()
    asked = keeping.done()
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)

    assert asked is asks


async def turns() -> None:
    """Lets the others run until they wait for something."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_the_lease_is_a_metric(ring: KeyRing, clock: FrozenClock) -> None:
    """Operators see how long a replica may go on without keys, down to nothing."""
    seen = []
    for seconds in (0, 40, 3_600):
        clock.tick(seconds)
        seen.append(REGISTRY.get_sample_value("portico_signing_key_lease_seconds") or 0.0)

    assert seen[0] == seen[1] + 40 > 40
    assert seen[2] == 0
