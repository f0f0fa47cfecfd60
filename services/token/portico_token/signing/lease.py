"""The keys received from the service keys, and how long they may be used."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from portico_oauth.jose import SigningKey, VerificationKey


@dataclass(frozen=True, slots=True)
class LeasedKey:
    """A private key and the unix time from which it may sign."""

    key: SigningKey
    activates_at: float


@dataclass(frozen=True, slots=True)
class Lease:
    """The keys of one response.

    Args:
        signing: by kid: those that sign, and those that will.
        published: by kid: every key of the key set; a token of another one is not accepted.
        requested_at: on the monotonic clock, taken before the request, so that its duration counts as well.
        seconds: how long the lease lasts.
    """

    signing: Mapping[str, LeasedKey]
    published: Mapping[str, VerificationKey]
    requested_at: float
    seconds: float

    def is_valid(self, monotonic: float) -> bool:
        """The lease has not expired."""
        return 0 <= monotonic - self.requested_at < self.seconds

    def newest(self, alg: str, now: float) -> SigningKey | None:
        """The key of an algorithm that was activated last."""
        newest: LeasedKey | None = None
        for leased in self.signing.values():
            if leased.key.alg == alg and leased.activates_at <= now:
                newest = leased if newest is None or leased.activates_at > newest.activates_at else newest
        return newest.key if newest else None

    def without(self, kids: Collection[str]) -> Lease:
        """The same lease without these keys."""
        return replace(
            self,
            signing={kid: leased for kid, leased in self.signing.items() if kid not in kids},
            published={kid: key for kid, key in self.published.items() if kid not in kids},
        )


NO_LEASE = Lease({}, {}, 0.0, 0.0)
