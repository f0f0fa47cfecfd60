"""Points in time as documents write them, and how a stored end is compared with the time."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_oauth.errors import ErrorCode, Kind

from portico_users.values.problems import at

INVALID_TIME = ErrorCode(
    "USER-052", Kind.INVALID_REQUEST, "Invalid timestamp.", "Use the format of RFC 3339, such as 2030-01-31T12:00:00Z."
)
IN_THE_PAST = ErrorCode("USER-053", Kind.INVALID_REQUEST, "This time is in the past.", "Choose a time in the future.")

_RFC_3339: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt](?!24)[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})\Z"
)
_YEAR_10000: Final = 253_402_300_800


def unix_seconds(text: str) -> float:
    """Parses RFC 3339 section 5.6. Raises USER-052 for any other format, including leap seconds and the hour 24.

    Also for a time that is after the year 9999 in UTC, which `rfc_3339` could not write.
    """
    if not _RFC_3339.match(text):
        raise INVALID_TIME.error()
    try:
        seconds = datetime.fromisoformat(text.upper()).timestamp()
    except (ValueError, OverflowError):
        raise INVALID_TIME.error() from None
    if seconds >= _YEAR_10000:
        raise INVALID_TIME.error()
    return seconds


def require_future(seconds: float, now: float) -> None:
    """Raises USER-053 for an expiration in the past; 0 never expires."""
    if 0 < seconds <= now:
        raise at("expirationDate", IN_THE_PAST.error())


def rfc_3339(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def within(seconds: float, now: float) -> dict[str, float]:
    """Returns a filter for an expiration set `seconds` after the issue.

    An expiration further in the future was issued after now: the clock was set back since, and beyond the
    leeway its age is unknown (`portico_oauth.clock_leeway`, FD-14).
    """
    return {"$gt": now, "$lte": now + seconds + CLOCK_LEEWAY}
