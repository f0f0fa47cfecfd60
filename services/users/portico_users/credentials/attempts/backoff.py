"""Exponential back-off after failed attempts, never permanent, so that attackers cannot lock users out."""

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
    """Limits of attempts. Delays are in seconds; each attempt after the free ones doubles the delay."""

    free_attempts: int
    initial_delay: float
    max_delay: float
    error: ErrorCode


PASSWORD_BACKOFF: Final = BackoffPolicy(free_attempts=4, initial_delay=1.0, max_delay=900.0, error=MUST_WAIT)
"""For the passwords of one account."""

EMAIL_BACKOFF: Final = BackoffPolicy(free_attempts=4, initial_delay=60.0, max_delay=14_400.0, error=TOO_MANY_EMAILS)
"""For emails with codes to one address, across all requesters, to protect mailboxes."""

SENDER_BACKOFF: Final = BackoffPolicy(free_attempts=100, initial_delay=5.0, max_delay=60.0, error=TOO_MANY_REQUESTED)
"""For emails to any address requested by one client; delays are short, because a client may be a whole office."""

TEST_EMAIL_BACKOFF: Final = BackoffPolicy(free_attempts=4, initial_delay=600.0, max_delay=600.0, error=TOO_MANY_EMAILS)
"""For test emails that one administrator sends: five, then one in ten minutes."""

NAME_CODE_BACKOFF: Final = BackoffPolicy(free_attempts=4, initial_delay=60.0, max_delay=3_600.0, error=TOO_MANY_EMAILS)
"""For sign-in codes that one client requests for one login name."""

ADDRESS_CODE_BACKOFF: Final = BackoffPolicy(
    free_attempts=19, initial_delay=60.0, max_delay=300.0, error=TOO_MANY_EMAILS
)
"""For sign-in codes to one address, across all requesters: short delays, because the owner waits for them too."""

SENDER_CODE_BACKOFF: Final = BackoffPolicy(
    free_attempts=200, initial_delay=1.0, max_delay=60.0, error=TOO_MANY_REQUESTED
)
"""For sign-in codes that one client, which may be a whole office, requests and does not use."""

FORGET_AFTER: Final = 86_400.0
"""Seconds without an attempt after which failures are forgotten."""

MAX_DOUBLINGS: Final = 10


def delay_after(failures: int, policy: BackoffPolicy = PASSWORD_BACKOFF) -> float:
    """Returns the delay in seconds: for passwords 1 s after the fifth failure, then doubling."""
    if failures <= policy.free_attempts:
        return 0.0
    return min(policy.max_delay, policy.initial_delay * 2.0 ** min(failures - policy.free_attempts - 1, MAX_DOUBLINGS))
