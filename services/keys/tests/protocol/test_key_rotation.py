"""Random courses of rotations and revocations, with two replicas of keys and two of token whose clocks differ."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from portico_fakes.rotation_world import Issued, RotationWorld, verified
from portico_harness.loop_thread import LoopThread
from portico_oauth.jose import MalformedToken

LEEWAY = 60.0
TOKEN_SECONDS = 3_600

Step = tuple[Any, ...]

one_of_two = st.integers(0, 1)
half_the_leeway = st.floats(-LEEWAY / 2, LEEWAY / 2)
"""Any two clocks differ by the leeway at most."""
skews = st.tuples(half_the_leeway, half_the_leeway, half_the_leeway, half_the_leeway)
steps = st.one_of(
    st.tuples(st.just("wait"), st.one_of(st.floats(0.1, 5), st.floats(5, 4_000), st.floats(4_000, 3_000_000))),
    st.tuples(st.just("rotate"), one_of_two, st.booleans()),
    st.tuples(st.just("revoke"), one_of_two, st.integers(0, 100)),
    st.tuples(st.just("look"), one_of_two),
    st.tuples(st.just("renew"), one_of_two, one_of_two),
    st.tuples(st.just("turn deaf"), one_of_two),
)
courses = st.lists(steps, min_size=1, max_size=25)


@pytest.fixture(scope="module")
def rotation_loop() -> Iterator[LoopThread]:
    """An event loop shared by the examples of hypothesis."""
    loop = LoopThread()
    yield loop
    loop.close()


async def take(world: RotationWorld, step: Step) -> None:
    match step:
        case "wait", seconds:
            await world.wait(seconds)
        case "rotate", number, now:
            await world.rotate(number, now=now)
        case "revoke", number, which:
            await world.revoke(number, which)
        case "look", number:
            await world.look(number)
        case "renew", number, asked:
            await world.renew(number, asked)
        case "turn deaf", number:
            await world.turn_deaf(number)


def verifies(world: RotationWorld, one: Issued) -> bool:
    """Reports whether the token verifies with the key set of every replica."""
    try:
        return all(verified(one.text, key_set[one.kid]) == {"sub": "1"} for key_set in world.key_sets())
    except (KeyError, MalformedToken):
        return False


def subscribed(world: RotationWorld) -> list[int]:
    """Returns the replicas of token that are subscribed to events."""
    return [number for number, signer in enumerate(world.signers) if signer.line.hears]


@pytest.mark.slow
@settings(max_examples=60)
@given(skews=skews, verifier_skew=half_the_leeway, course=courses)
def test_every_replica_can_sign_and_every_token_verifies(
    rotation_loop: LoopThread,
    skews: tuple[float, float, float, float],
    verifier_skew: float,
    course: list[Step],
) -> None:
    """There is never a gap, and only a revoked key's unexpired tokens fail to verify (IR-16)."""

    async def live() -> None:
        world = RotationWorld(skews, token_seconds=TOKEN_SECONDS)
        await world.start()
        for step in course:
            await take(world, step)
            fresh = world.sign()

            # A replica that missed the event of a revocation signs until its lease expires; no verifier accepts that.
            assert all(verifies(world, one) for one in fresh if one.kid not in world.revoked)
            assert all(verifies(world, one) for one in world.living(verifier_skew))

    rotation_loop.run(live())


@pytest.mark.slow
@settings(max_examples=40)
@given(skews=skews, course=courses)
def test_revoked_key_is_removed_at_once_for_subscribers(
    rotation_loop: LoopThread, skews: tuple[float, float, float, float], course: list[Step]
) -> None:
    """A revoked key leaves every key set, is listed as revoked, and neither signs nor verifies at token (IR-16)."""

    async def live() -> None:
        world = RotationWorld(skews, token_seconds=TOKEN_SECONDS)
        await world.start()
        for step in course:
            await take(world, step)
            fresh = world.sign()
            rings = [world.signers[number].ring for number in subscribed(world)]

            assert not any(world.revoked & set(key_set) for key_set in world.key_sets())
            assert not {fresh[number].kid for number in subscribed(world)} & world.revoked
            assert not any(ring.find_verification_key(kid) for ring in rings for kid in world.revoked)
            assert all(ring.find_verification_key(fresh[number].kid) for ring in rings for number in subscribed(world))
            if step[0] == "revoke":
                assert all(listed & world.revoked for listed in await world.told_revoked())

    rotation_loop.run(live())


@pytest.mark.slow
@settings(max_examples=20)
@given(skews=skews, numbers=st.lists(one_of_two, min_size=1, max_size=10))
def test_token_replicas_agree_after_the_waiting_time(
    rotation_loop: LoopThread, skews: tuple[float, float, float, float], numbers: list[int]
) -> None:
    """After the waiting time and the clock leeway, every replica signs with the newest key."""

    async def live() -> None:
        world = RotationWorld(skews, token_seconds=TOKEN_SECONDS)
        await world.start()
        before = world.sign()[0].kid
        for number in numbers:
            await world.rotate(number, now=True)
        await world.wait(2 * LEEWAY + 10)
        await world.wait(1)
        first, second = world.sign()

        assert first.kid == second.kid != before

    rotation_loop.run(live())


async def test_isolated_token_replica_stops_with_its_lease() -> None:
    """A replica without events and services signs for at most a minute (IR-16)."""
    world = RotationWorld((0, 0, 0, 0), token_seconds=TOKEN_SECONDS)
    await world.start()
    ring = world.signers[0].ring
    world.true.tick(59.9)
    ring.signing_key("ES256")
    world.true.tick(0.1)

    with pytest.raises(Exception, match="TOKEN-050"):
        ring.signing_key("ES256")


async def test_two_concurrent_rotations_are_one() -> None:
    """Both replicas serve the same keys afterwards, and one of them signs."""
    world = RotationWorld((0, 0, 0, 0), token_seconds=TOKEN_SECONDS)
    await world.start()
    await asyncio.gather(world.rotate(0, now=True), world.rotate(1, now=True))
    await world.wait(10)
    await world.wait(1)
    first, second = world.sign()
    key_sets = world.key_sets()

    assert first.kid == second.kid
    assert key_sets[0] == key_sets[1]
