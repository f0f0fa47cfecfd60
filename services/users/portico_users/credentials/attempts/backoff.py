"""Exponential back-off after failed attempts: never for good, so that an attacker cannot lock a user out."""

from __future__ import annotations

from typing import Final, NamedTuple

from portico_oauth.errors import ErrorCode, Kind

MUST_WAIT = ErrorCode(
    "USER-033",
    Kind.TOO_MANY_REQUESTS,
    "Too many wrong attempts.",
    "Wait for the number of seconds in Retry-After. The right password then resets the delay.",
)
TOO_MANY_EMAILS = ErrorCode(
    "USER-062",
    Kind.TOO_MANY_REQUESTS,
    "Too many emails were sent to this address.",
    "Look for the email that was already sent, or wait for the number of seconds in Retry-After.",
)
TOO_MANY_REQUESTED = ErrorCode(
    "USER-066",
    Kind.TOO_MANY_REQUESTS,
    "Too many emails were requested from your network.",
    "Wait for the number of seconds in Retry-After.",
)


class BackoffPolicy(NamedTuple):
    """The attempts that are permitted.

    Attributes:
        free_attempts: attempts without a delay.
        initial_delay: seconds after the first attempt beyond them; each further one doubles it.
        max_delay: seconds; the delay grows no further.
        error: what a caller that does not wait gets.
    """

    free_attempts: int
    initial_delay: float
    max_delay: float
    error: ErrorCode


PASSWORD_BACKOFF: Final = BackoffPolicy(free_attempts=4, initial_delay=1.0, max_delay=900.0, error=MUST_WAIT)
"""Passwords of one account."""

EMAIL_BACKOFF: Final = BackoffPolicy(free_attempts=4, initial_delay=60.0, max_delay=14_400.0, error=TOO_MANY_EMAILS)
"""Emails with codes to one address, for all requesters together, so that no mailbox is flooded."""

SENDER_BACKOFF: Final = BackoffPolicy(free_attempts=100, initial_delay=5.0, max_delay=60.0, error=TOO_MANY_REQUESTED)
"""Emails that one client requests for whatever addresses: a client of many people, such as an office, is never stopped."""

FORGET_AFTER: Final = 86_400.0
"""Seconds without an attempt after which failures are forgotten."""

MAX_DOUBLINGS: Final = 10


def delay_after(failures: int, policy: BackoffPolicy = PASSWORD_BACKOFF) -> float:
    """Seconds to wait after so many failures: with passwords from the fifth on 1 s, doubling."""
    if failures <= policy.free_attempts:
        return 0.0
    return min(policy.max_delay, policy.initial_delay * 2.0 ** min(failures - policy.free_attempts - 1, MAX_DOUBLINGS))
