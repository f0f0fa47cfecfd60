"""DPoP where clocks are apart: replicas differ by what the guard of clocks lets serve, and clients by the leeway."""

from __future__ import annotations

from typing import Final

import pytest
from portico_contracts.http import TOKEN
from portico_fakes.clock import FrozenClock
from portico_fakes.dpop_proofs import Prover
from portico_fakes.memory_assertions import MemoryAssertions
from portico_fakes.token_service import ISSUER
from portico_oauth.errors import ServiceError
from portico_token.dpop.nonces import NONCE_MINUTES, Nonces
from portico_token.dpop.proof import Call
from portico_token.dpop.proofs import Proofs

APART: Final = 5
"""Seconds by which the clock of a replica that serves may differ from that of Redis."""

KEY: Final = b"k" * 32
CALL: Final = Call("POST", ISSUER + TOKEN)


class Shifted:
    def __init__(self, clock: FrozenClock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds

    def now(self) -> float:
        return self._clock.now() + self._seconds


def replica(clock: FrozenClock, seconds: float, store: MemoryAssertions) -> Proofs:
    own = Shifted(clock, seconds)
    return Proofs(ISSUER, store, own, Nonces(lambda: [KEY], own))


async def outcome(proofs: Proofs, proof: str, call: Call = CALL) -> str:
    """Returns the id of the error; empty where the proof is accepted."""
    try:
        await proofs.accept([proof], call)
    except ServiceError as error:
        return error.id
    return ""


@pytest.mark.parametrize("skew", [0, 5])
@pytest.mark.parametrize("ahead", [0, 10])
@pytest.mark.parametrize(("first", "second"), [(APART, -APART), (-APART, APART), (0, -APART), (APART, 0)])
async def test_proof_works_once_on_replicas_whose_clocks_are_apart(
    clock: FrozenClock, first: int, second: int, ahead: int, skew: int
) -> None:
    """In no second until it is too old everywhere: the mark outlives it on the replica that is behind."""
    store = MemoryAssertions(clock)
    one, other = replica(clock, first, store), replica(clock, second, store)
    proof = Prover(ISSUER, clock.now() + min(ahead, 10 + first, 10 + second)).proof(TOKEN)
    call = CALL._replace(skew=skew)

    seen = [await outcome(one, proof, call)]
    for _ in range(90):
        clock.tick(1)
        seen.append(await outcome(other, proof, call))
        seen.append(await outcome(one, proof, call))

    assert seen[0] == ""
    assert {*seen[1:]} == {"TOKEN-310", "TOKEN-308"}
    assert seen[-2:] == ["TOKEN-308", "TOKEN-308"]


@pytest.mark.parametrize("difference", [-APART, 0, APART])
@pytest.mark.parametrize(("age", "refused"), [(-10, ""), (-11, "TOKEN-308"), (60, ""), (61, "TOKEN-308")])
async def test_age_is_measured_by_the_clock_of_the_replica(
    clock: FrozenClock, difference: int, age: int, refused: str
) -> None:
    """A replica that is 5 seconds behind accepts clients that are 5 seconds ahead of it all, and 65 seconds old proofs."""
    proofs = replica(clock, difference, MemoryAssertions(clock))
    proof = Prover(ISSUER, clock.now() + difference - age).proof(TOKEN)

    assert await outcome(proofs, proof) == refused


async def test_nonces_outlive_the_difference_of_clocks(clock: FrozenClock) -> None:
    """In every second: a nonce of the replica that is ahead works at once on the one that is behind, and for minutes."""
    store = MemoryAssertions(clock)
    ahead, behind = replica(clock, APART, store), replica(clock, -APART, store)
    call, seen = CALL._replace(needs_nonce=True), set()
    for _ in range(60):
        clock.tick(1)
        nonces = [(ahead.nonces.current(), behind), (behind.nonces.current(), ahead)]
        for nonce, other in nonces:
            seen.add(await outcome(other, Prover(ISSUER, clock.now()).proof(TOKEN, nonce=nonce), call))
    assert seen == {""}

    nonce = ahead.nonces.current()
    clock.tick(60 * NONCE_MINUTES - 2 * APART)
    assert await outcome(ahead, Prover(ISSUER, clock.now()).proof(TOKEN, nonce=nonce), call) == ""
    clock.tick(60 + 2 * APART)
    late = Prover(ISSUER, clock.now()).proof(TOKEN, nonce=nonce)
    assert [await outcome(one, late, call) for one in (ahead, behind)] == ["TOKEN-311", "TOKEN-311"]
