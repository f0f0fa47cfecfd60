"""The times of an assertion beside our clock: only of one whose signature was verified, and only as seconds."""

from __future__ import annotations

from typing import Final

from portico_oauth.jose import MalformedToken, unverified_claims

_MOST: Final = 10**9


def shown_times(assertion: str, now: float) -> str:
    """By how much exp, iat and nbf are before or after our clock."""
    try:
        claims = unverified_claims(assertion)
    except MalformedToken:
        return ""
    times = {name: claims.get(name) for name in ("exp", "iat", "nbf")}
    return ", ".join(f"{name} {_beside(value, now)}" for name, value in times.items() if type(value) is int)


def _beside(moment: int, now: float) -> str:
    seconds = max(-_MOST, min(_MOST, round(moment - now)))
    return f"in {seconds} s" if seconds > 0 else f"{-seconds} s ago"
