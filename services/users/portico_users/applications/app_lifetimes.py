"""How long sessions and tokens of an application live: never longer than the instance allows."""

from __future__ import annotations

from typing import Final

from portico_contracts.users import TokenLifetimes
from portico_oauth.errors import ErrorCode, Kind

from portico_users.applications.app_record import App
from portico_users.policies.token_lifetimes import SHORTEST, LongestLifetimes
from portico_users.values.fields import Field
from portico_users.values.problems import Problem, Problems

TOO_SHORT = ErrorCode(
    "USER-934",
    Kind.INVALID_REQUEST,
    "A time of an application must be at least one minute.",
    "Use 60 seconds or more, or 0 for no limit of the application.",
)
TOO_LONG = ErrorCode(
    "USER-935",
    Kind.INVALID_REQUEST,
    "The tokens of an application cannot live longer than the operator allows.",
    "Use a shorter time, or 0 for that of the instance.",
)

_LONGEST: Final = {
    "access_token_seconds": "access_token",
    "id_token_seconds": "id_token",
    "refresh_token_idle_seconds": "refresh_idle",
    "refresh_token_seconds": "refresh",
}
"""The fields of an application, and those of the operator's maximum."""

_TIMES: Final = ("default_max_age_seconds", "session_seconds", "session_idle_seconds", *_LONGEST)


def problems_of_times(before: App | None, app: App, longest: LongestLifetimes) -> Problems:
    """Problems of the times that change: a stored one stays valid where the operator allows less since."""
    for name in _TIMES:
        if before and getattr(app, name) == getattr(before, name):
            continue
        if 0 < getattr(app, name) < SHORTEST:
            yield Problem(Field(name).place, TOO_SHORT)
        if name in _LONGEST and getattr(app, name) > getattr(longest, _LONGEST[name]):
            yield Problem(Field(name).place, TOO_LONG)


def lifetimes_of(app: App, of_instance: TokenLifetimes | None, longest: LongestLifetimes) -> TokenLifetimes | None:
    """The lifetimes of its tokens; None where neither it nor the instance has any."""
    chosen = {name: getattr(app, name) for name in _LONGEST}
    if not any(chosen.values()):
        return of_instance
    limits = of_instance or TokenLifetimes(
        access_token_seconds=longest.access_token,
        id_token_seconds=longest.id_token,
        refresh_idle_seconds=longest.refresh_idle,
        refresh_seconds=longest.refresh,
    )
    return TokenLifetimes(
        access_token_seconds=_shorter(app.access_token_seconds, limits.access_token_seconds),
        id_token_seconds=_shorter(app.id_token_seconds, limits.id_token_seconds),
        refresh_idle_seconds=_shorter(app.refresh_token_idle_seconds, limits.refresh_idle_seconds),
        refresh_seconds=_shorter(app.refresh_token_seconds, limits.refresh_seconds),
    )


def _shorter(of_app: int, of_instance: int) -> int:
    return min(of_app, of_instance) if of_app else of_instance
