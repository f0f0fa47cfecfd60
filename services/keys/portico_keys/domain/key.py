from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from portico_oauth.master_keys import SealedAtRest


class State(StrEnum):
    CREATED = "made"
    """Stored, and not yet published."""
    PUBLISHED = "published"
    """In the key set (pre-published), so that relying parties fetch it before it signs."""
    SIGNING = "signing"
    """Signs, unless a newer one of its algorithm does."""
    RETIRED = "retired"
    """Does not sign, the private key deleted; in the key set while tokens it signed may be valid."""
    EXPIRED = "gone"
    """No longer in the key set."""
    REVOKED = "revoked"
    """Removed from the key set at once: tokens it signed are rejected."""


TRANSITIONS: Final[dict[State, frozenset[State]]] = {
    State.CREATED: frozenset({State.PUBLISHED, State.REVOKED}),
    State.PUBLISHED: frozenset({State.SIGNING, State.REVOKED}),
    State.SIGNING: frozenset({State.RETIRED, State.REVOKED}),
    State.RETIRED: frozenset({State.EXPIRED, State.REVOKED}),
    State.EXPIRED: frozenset(),
    State.REVOKED: frozenset(),
}

IN_KEY_SET: Final = frozenset({State.PUBLISHED, State.SIGNING, State.RETIRED})
DISTRIBUTED: Final = frozenset({State.PUBLISHED, State.SIGNING})
WITHOUT_PRIVATE_HALF: Final = frozenset({State.RETIRED, State.EXPIRED, State.REVOKED})


@dataclass(frozen=True, slots=True)
class Key:
    """A signing key as stored.

    Args:
        serial: counts the keys of an algorithm from 1; claiming a serial creates a key exactly once.
        wait: seconds it must have been published before it signs.
        since: unix time at which it entered its state.
        sealed: the private key under a master key; None once it no longer signs.
        activates_at: unix time from which it may sign; 0 until it is published.
    """

    kid: str
    alg: str
    serial: int
    wait: float
    state: State
    since: float
    jwk: dict[str, str] = field(repr=False)
    sealed: SealedAtRest | None = field(repr=False)
    activates_at: float = 0.0

    @property
    def bound_to(self) -> bytes:
        """Associated data of the sealed private key: it cannot be unsealed as another key's."""
        return f"{self.kid}|{self.alg}".encode()

    @property
    def activation_order(self) -> tuple[float, int]:
        return self.activates_at, self.serial

    def transitioned(self, state: State, now: float, *, after: float = 0.0) -> Key:
        """`after` is the earliest activation (unix time); raises ValueError if not in `TRANSITIONS`."""
        if state not in TRANSITIONS[self.state]:
            raise ValueError(f"{self.kid}: no transition from {self.state} to {state}")
        changes: dict[str, Any] = {"state": state, "since": now}
        if state is State.PUBLISHED:
            changes["activates_at"] = max(now + self.wait, after)
        if state is State.SIGNING:  # perhaps before its time, when no other key can sign
            changes["activates_at"] = max(min(self.activates_at, now), after)
        if state in WITHOUT_PRIVATE_HALF:
            changes["sealed"] = None
        return replace(self, **changes)
