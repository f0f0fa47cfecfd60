"""How a stored end is compared with the time: not after it, and not before the issue it was counted from."""

from __future__ import annotations

from portico_oauth.clock_leeway import CLOCK_LEEWAY


def within(seconds: float, now: float) -> dict[str, float]:
    """A condition on an end that was set `seconds` after the issue.

    An end further away than that belongs to something issued after now: a clock was set back since, and beyond the leeway
    its age is unknown (`portico_oauth.clock_leeway`, FD-14).
    """
    return {"$gt": now, "$lte": now + seconds + CLOCK_LEEWAY}
