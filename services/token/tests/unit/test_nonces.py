from __future__ import annotations

import pytest
from portico_fakes.clock import FrozenClock
from portico_oauth.errors import ServiceError
from portico_token.dpop.nonces import Nonces

OLD, NEW = b"o" * 32, b"n" * 32
MINUTE = 1_790_000_040.0


def fault(nonces: Nonces, nonce: str) -> str:
    try:
        nonces.refuse_others(nonce)
    except ServiceError as error:
        return error.compared.hint if error.compared else "none"
    return ""


@pytest.mark.parametrize(
    ("seconds", "hint"), [(-61, "too_old"), (-60, ""), (-1, ""), (0, ""), (359, ""), (360, "too_old")]
)
def test_nonce_is_accepted_for_five_minutes(clock: FrozenClock, seconds: int, hint: str) -> None:
    """From the end of its minute, and for a minute before it, because the clocks of replicas differ."""
    clock.tick(MINUTE - clock.now())
    nonces = Nonces(lambda: [NEW], clock)
    nonce = nonces.current()
    clock.tick(seconds)

    assert fault(nonces, nonce) == hint


def test_nonce_survives_the_rotation_of_a_key(clock: FrozenClock) -> None:
    """It is accepted while a replica still has the key, and new ones are of the new key."""
    before, during, after = (Nonces(lambda keys=keys: keys, clock) for keys in ([OLD], [NEW, OLD], [NEW]))  # type: ignore[misc]

    assert [fault(one, before.current()) for one in (before, during, after)] == ["", "", "unknown"]
    assert during.current() == after.current() != before.current()
