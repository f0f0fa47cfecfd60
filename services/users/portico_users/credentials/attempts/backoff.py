"""How long somebody must wait who tries too often: never for good, so that no outsider locks anybody out."""

from __future__ import annotations

from typing import Final, NamedTuple

from portico_oauth.errors import ErrorCode, Kind

MUST_WAIT = ErrorCode(
    "USER-033",
    Kind.TOO_MANY_REQUESTS,
    "There were too many wrong attempts.",
    "Wait for the seconds in Retry-After; the right password then resets the delay.",
)
TOO_MANY_MAILS = ErrorCode(
    "USER-062",
    Kind.TOO_MANY_REQUESTS,
    "Too many mails were sent to this address.",
    "Look for the mail that was sent, or wait for the seconds in Retry-After.",
)


class Pace(NamedTuple):
    """How often something may be tried.

    Attributes:
        free: attempts that cost no wait.
        first: seconds to wait after the first one that does; each further one doubles them.
        longest: seconds; the delay grows no further.
        refusal: what is said to whoever does not wait.
    """

    free: int
    first: float
    longest: float
    error: ErrorCode


PASSWORDS: Final = Pace(free=4, first=1.0, longest=900.0, error=MUST_WAIT)
"""Passwords of one account."""

MAILS: Final = Pace(free=4, first=60.0, longest=14_400.0, error=TOO_MANY_MAILS)
"""Mails with codes to one address, whoever asks for them: nobody's mailbox is flooded."""

FORGET_AFTER: Final = 86_400.0
"""Seconds without an attempt after which failures are forgotten."""

MAX_DOUBLINGS: Final = 10


def delay_after(failures: int, pace: Pace = PASSWORDS) -> float:
    """Seconds to wait after so many: with passwords from the fifth on 1 s, doubling."""
    if failures <= pace.free:
        return 0.0
    return min(pace.longest, pace.first * 2.0 ** min(failures - pace.free - 1, MAX_DOUBLINGS))
