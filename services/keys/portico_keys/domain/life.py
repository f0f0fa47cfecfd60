"""When a key is due for its next state, and when a new one is due. Pure: keys and a time in, a decision out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from portico_keys.domain.key import Key, State

LEASE_SECONDS: Final = 60.0
"""How long a token replica may sign with what it was handed."""

_ON_THE_WAY: Final = frozenset({State.MADE, State.PUBLISHED})


@dataclass(frozen=True, slots=True)
class Policy:
    """How long the states last, in seconds.

    Args:
        wait: published before it signs.
        signs: signing before the next key takes over.
        keep: retired before it is gone: at least the life of a token and of a lease.
    """

    wait: float
    signs: float
    keep: float


def next_state(key: Key, now: float, policy: Policy, *, succeeded: bool) -> State:
    """The state a key should be in next; its present one when nothing is due.

    Args:
        succeeded: a newer key of its algorithm is signing, so that retiring leaves no gap.
    """
    match key.state:
        case State.MADE:
            return State.PUBLISHED
        case State.PUBLISHED if now >= key.activates_at:
            return State.SIGNING
        case State.SIGNING if succeeded:
            return State.RETIRED
        case State.RETIRED if now >= key.since + policy.keep:
            return State.GONE
        case _:
            return key.state


def moves_due(keys: Sequence[Key], now: float, policy: Policy) -> list[Key]:
    """Every key that is due, in its next state; a key that is due twice needs a second call."""
    due: list[Key] = []
    for key in keys:
        state = next_state(key, now, policy, succeeded=_is_succeeded(key, keys))
        if state is not key.state:
            due.append(key.moved(state, now))
    return due


def wait_of_missing(keys: Sequence[Key], alg: str, now: float, policy: Policy) -> float | None:
    """None when no key is missing; else how long the one to be made must wait before it signs.

    Without any key that signs or will sign, the new one signs at once: no token can exist that it would
    surprise, and without it none can be issued.
    """
    living = [key for key in keys if key.alg == alg and key.state in (State.SIGNING, *_ON_THE_WAY)]
    if not living:
        return 0.0
    newest = max(living, key=lambda key: key.serial)
    used_up = newest.state is State.SIGNING and now >= newest.since + policy.signs - policy.wait
    return policy.wait if used_up else None


def next_serial(keys: Sequence[Key], alg: str) -> int:
    """The serial number to claim for a new key of an algorithm."""
    return max((key.serial for key in keys if key.alg == alg), default=0) + 1


def _is_succeeded(key: Key, keys: Sequence[Key]) -> bool:
    return any(other.alg == key.alg and other.serial > key.serial and other.state is State.SIGNING for other in keys)
