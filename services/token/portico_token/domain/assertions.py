"""Assertions that were accepted, and the claim that each is accepted once (RFC 7523 §3, JW-10).

Libraries that write whole seconds and no `jti` make the same bytes twice within a second; for client authentication
such an assertion is accepted again within `REPEAT_SECONDS` (decision 0027).
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple, Protocol

REPEAT_SECONDS: Final = 5
"""How long an assertion without `jti` may be repeated, from its `iat` or its first use, whichever is earlier."""


class Assertion(NamedTuple):
    """An assertion whose signature and claims are in order.

    Attributes:
        issuer: who signed it: a client id or a user id.
        name: fingerprint of its `jti`, or where it has none, of what was signed.
        issued: unix seconds, by its issuer's clock.
        expires: unix seconds.
        repeats: the same assertion may be presented again for `REPEAT_SECONDS` (decision 0027).
    """

    issuer: str
    name: str
    issued: int
    expires: int
    repeats: bool = False


class ClaimResult(Enum):
    """The outcome of a claim."""

    FIRST = 1
    REPEATED = 2
    """It was used before, and may be repeated until `REPEAT_SECONDS` after its issue and its first use."""
    USED = 0
    LOST = -1
    """It is older than the marks of the store, which cannot decide whether it was used."""


class AssertionStore(Protocol):
    """Stores which assertions were used."""

    async def claim(self, assertion: Assertion, seconds: int, now: float) -> ClaimResult:
        """Claims an assertion atomically: of many callers at most one gets FIRST, on any replica.

        The first claim always sets the mark. A clock that went back behind the first use, by more than the leeway,
        makes every later claim USED.

        Args:
            seconds: how long the mark is stored.
            now: unix seconds.

        Raises:
            ServiceError: `unavailable` when the claim is not known to be stored.
        """
        ...
