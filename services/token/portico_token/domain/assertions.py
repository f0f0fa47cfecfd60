"""Assertions that were believed, and the claim that each is believed once (RFC 7523 §3, JW-10)."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, Protocol


class Assertion(NamedTuple):
    """An assertion whose signature and claims are in order.

    Attributes:
        issuer: who signed it: a client id or a user id.
        name: fingerprint of its `jti`, or where it has none, of what was signed.
        issued: unix seconds, by its issuer's clock.
        expires: unix seconds.
    """

    issuer: str
    name: str
    issued: int
    expires: int


class Claimed(Enum):
    """What became of a claim."""

    FIRST = 1
    USED = 0
    LOST = -1
    """It is older than what the store remembers, so nobody knows whether it was used."""


class AssertionStore(Protocol):
    """Where used assertions are remembered."""

    async def claim(self, assertion: Assertion, seconds: int) -> Claimed:
        """Uses an assertion up, atomically: of many callers at most one is answered FIRST, on any replica.

        Args:
            seconds: how long it must be remembered.

        Raises:
            Refusal: `unavailable` when it is not known to have been claimed.
        """
        ...
