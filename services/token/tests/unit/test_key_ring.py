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
    """A bus whose responses arrive when the test permits."""

    def __init__(self) -> None:
        super().__init__()
        self.arrived = asyncio.Event()
        self.arrived.set()

    async def call(self, rpc: Rpc[Any, Any], message: Any, *, seconds: float | None = None) -> Any:
        reply = await super().call(rpc, message, seconds=seconds)
        await self.arrived.wait()
        return reply


@pytest.fixture
def slow_bus() -> SlowBus:
    return SlowBus()


@pytest.fixture
def played(slow_bus: SlowBus) -> FakeKeys:
    return FakeKeys(slow_bus, [OLD])


@pytest.fixture
async def ring(slow_bus: SlowBus, played: FakeKeys, clock: FrozenClock) -> KeyRing:
    """A ring with its first lease, subscribed to events."""
    ring = KeyRing(slow_bus, clock, clock.now)
    ring.listen()
    await ring.renew()
    return ring


async def revoke(bus: MemoryBus, kid: str) -> None:
    """Publishes the event of a revoked key."""
    await bus.publish(KEY_REVOKED, KeyEvent(event_id=kid, kid=kid, at=0.0), event_id=kid)


async def test_response_in_flight_does_not_restore_a_revoked_key(
    ring: KeyRing, slow_bus: SlowBus, played: FakeKeys
) -> None:
    """If the event of a revocation overtakes an older response, the response still counts for all other keys
    (IR-16).
    """
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


async def test_successor_signs_before_a_revoked_key_is_removed(
    ring: KeyRing, slow_bus: SlowBus, played: FakeKeys
) -> None:
    """At every time of the change some key signs, and no request is refused (IR-16)."""
    played.signing = [PlannedKey(NEW)]
    played.published = [NEW]
    slow_bus.arrived.clear()
    subscribed = asyncio.create_task(revoke(slow_bus, "old"))
    await asyncio.sleep(0)
    during = ring.signing_key("ES256").kid
    slow_bus.arrived.set()
    await subscribed

    assert (during, ring.signing_key("ES256").kid) == ("old", "new")


async def test_response_from_before_the_revocation_leaves_no_gap(
    ring: KeyRing, slow_bus: SlowBus, played: FakeKeys
) -> None:
    """A response from before the successor was created may arrive after its activation (IR-16)."""
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


async def test_revoked_key_is_removed_without_a_successor(ring: KeyRing, slow_bus: SlowBus) -> None:
    """Issuing no token is better than issuing one of a revoked key (P2, IR-16)."""
    slow_bus.silent.add(ACTIVE_KEYS.subject)
    await revoke(slow_bus, "old")

    with pytest.raises(ServiceError, match="TOKEN-050"):
        ring.signing_key("ES256")
    assert ring.find_verification_key("old") is None


async def test_key_that_signs_here_verifies_here(ring: KeyRing, played: FakeKeys) -> None:
    """The key set may come from a replica of keys that had not read the newest key yet."""
    played.signing.append(PlannedKey(NEW, 1.0))
    await ring.renew()
    key = ring.find_verification_key("new")

    assert ring.signing_key("ES256").kid == "new"
    assert key is not None
    assert key.verify(NEW.sign(b'{"sub":"1"}')) == {"sub": "1"}


@pytest.mark.parametrize(("seconds", "asks"), [(0.9, False), (1.0, True)])
async def test_unknown_key_is_requested_at_most_once_a_second(
    ring: KeyRing, clock: FrozenClock, seconds: float, asks: bool
) -> None:
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
    """Lets other tasks run until they block."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_lease_is_a_metric(ring: KeyRing, clock: FrozenClock) -> None:
    seen = []
    for seconds in (0, 40, 3_600):
        clock.tick(seconds)
        seen.append(REGISTRY.get_sample_value("portico_signing_key_lease_seconds") or 0.0)

    assert seen[0] == seen[1] + 40 > 40
    assert seen[2] == 0
