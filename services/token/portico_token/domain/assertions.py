"""Accepted assertions; each is claimed once (RFC 7523 section 3, JW-10).

Libraries that write whole seconds and no `jti` create identical assertions within a second; for client
authentication such an assertion is accepted again within `REPEAT_SECONDS` (decision 0027).
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple, Protocol

REPEAT_SECONDS: Final = 5
"""How long an assertion without `jti` may be repeated, from its `iat` or its first use, whichever is earlier."""


class Assertion(NamedTuple):
    """A verified assertion; `name` is the fingerprint of its `jti`, or of the signed input; times in unix seconds.

    `issued` is when it arrived where it does not state the time, and `earliest` when it can have been issued: it was
    not used before. Where it states the time, both are that.
    """

    issuer: str
    name: str
    issued: int
    earliest: int
    expires: int
    repeats: bool = False


class ClaimResult(Enum):
    FIRST = 1
    REPEATED = 2
    """It was used before, and may be repeated until `REPEAT_SECONDS` after its issue and its first use."""
    USED = 0
    LOST = -1
    """It is older than the records of the store, which cannot decide whether it was used."""


class AssertionStore(Protocol):
    async def claim(self, assertion: Assertion, seconds: int, now: float) -> ClaimResult:
        """Claims an assertion atomically: at most one caller gets FIRST, on any replica.

        The first claim always stores the record. If the clock went back behind the first use, by more than
        the leeway, every later claim is USED. `seconds` is the retention, `now` is in unix seconds.
        """
        ...
