from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from portico_keys.domain.key import Key, State

LEASE_SECONDS: Final = 60.0
"""How long a token replica may sign with the keys it received."""

_PENDING: Final = frozenset({State.CREATED, State.PUBLISHED})


@dataclass(frozen=True, slots=True)
class Policy:
    """Durations in seconds; `wait` is published before signing, `signing` until the next key is activated.

    `retention` is at least the lifetime of a token, of a lease, and the clock differences (of the replicas
    that retire and expire the key; of signer and verifier).
    """

    wait: float
    signing: float
    retention: float


def next_state(key: Key, now: float, policy: Policy, *, is_first: bool, has_successor: bool) -> State:
    """`is_first`: no key of the algorithm signs; `has_successor`: a later key signs, so retiring leaves no gap."""
    match key.state:
        case State.CREATED:
            return State.PUBLISHED
        case State.PUBLISHED if is_first or now >= key.activates_at:
            return State.SIGNING
        case State.SIGNING if has_successor:
            return State.RETIRED
        case State.RETIRED if now >= key.since + policy.retention:
            return State.EXPIRED
        case _:
            return key.state


def due_transitions(keys: Sequence[Key], now: float, policy: Policy) -> list[Key]:
    """Returns every due key in its next state; a key that is due twice needs a second call."""
    due: list[Key] = []
    for key in keys:
        signing = _in_state(keys, key.alg, State.SIGNING)
        is_first = not signing and key is find_next(keys, key.alg)
        has_successor = any(other.activation_order > key.activation_order for other in signing)
        state = next_state(key, now, policy, is_first=is_first, has_successor=has_successor)
        if state is not key.state:
            after = earliest_activation(keys, key.alg) if state is State.PUBLISHED else 0.0
            due.append(key.transitioned(state, now, after=after))
    return due


def earliest_activation(keys: Sequence[Key], alg: str) -> float:
    """Returns the earliest activation after those of all signing keys, which may be in the future of this clock."""
    latest = max((key.activates_at for key in _in_state(keys, alg, State.SIGNING)), default=0.0)
    return math.nextafter(latest, math.inf) if latest else 0.0


def wait_of_missing(keys: Sequence[Key], alg: str, now: float, policy: Policy) -> float | None:
    """Seconds the missing key has to wait: None if none is missing, 0 if none signs or will sign."""
    if any(key.alg == alg and key.state in _PENDING for key in keys):
        return None
    signing = _in_state(keys, alg, State.SIGNING)
    if not signing:
        return 0.0
    newest = max(signing, key=lambda key: key.activation_order)
    return policy.wait if now >= newest.since + policy.signing - policy.wait else None


def is_only_signing(key: Key, keys: Sequence[Key]) -> bool:
    return key.state is State.SIGNING and all(other.kid == key.kid for other in _in_state(keys, key.alg, State.SIGNING))


def find_first_signing(keys: Sequence[Key], alg: str) -> Key | None:
    """The key to sign with, whatever the requester's clock: the oldest signing one, else the next published."""
    signing = _in_state(keys, alg, State.SIGNING)
    return min(signing, key=lambda key: key.activation_order) if signing else find_next(keys, alg)


def find_next(keys: Sequence[Key], alg: str) -> Key | None:
    return min(_in_state(keys, alg, State.PUBLISHED), key=lambda key: key.activation_order, default=None)


def next_serial(keys: Sequence[Key], alg: str) -> int:
    return max((key.serial for key in keys if key.alg == alg), default=0) + 1


def _in_state(keys: Sequence[Key], alg: str, state: State) -> list[Key]:
    return [key for key in keys if key.alg == alg and key.state is state]
