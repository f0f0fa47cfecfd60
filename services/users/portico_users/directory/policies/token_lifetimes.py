"""How long tokens live, where the instance sets it: never longer than the operator's settings allow.

Those settings are what the rest is built on: how long a retired key stays published, and how long the revocation of a
user's tokens is stored. So the instance may only set less.
"""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts import apply as document
from portico_oauth.errors import ErrorCode, Kind

from portico_users.kernel.fields import Field, Fields, WholeSeconds
from portico_users.kernel.problems import Problem, Problems

SHORTEST: Final = 60
"""Seconds; with less a session would end before an administrator could set more again."""

LIFETIME_TOO_LONG = ErrorCode(
    "USER-930",
    Kind.INVALID_REQUEST,
    "The token lifetime exceeds the operator's maximum.",
    "Use at most PORTICO_ACCESS_TOKEN_SECONDS, PORTICO_ID_TOKEN_SECONDS, "
    "PORTICO_REFRESH_IDLE_SECONDS and PORTICO_REFRESH_SECONDS. To allow more, raise them for "
    "keys first, then for token and users.",
)
INVALID_LIFETIME = ErrorCode(
    "USER-931",
    Kind.INVALID_REQUEST,
    "A token lifetime must be whole seconds, at least one minute.",
    "Use a format such as 3600s.",
)


class TokenLifetimes(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """In seconds.

    Attributes:
        refresh_idle: a refresh token that is not used for so long is worth nothing.
        refresh: nor is any of its grant, so long after the first.
    """

    access_token: int
    id_token: int
    refresh_idle: int
    refresh: int


class LongestLifetimes(TokenLifetimes, frozen=True, kw_only=True, rename="camel"):
    """What the operator's settings allow at most."""


_SECONDS: Final = WholeSeconds(INVALID_LIFETIME)
LIFETIME_FIELDS: Final = Fields(
    TokenLifetimes,
    document.OidcSettings,
    (
        Field("access_token", "access_token_lifetime", _SECONDS),
        Field("id_token", "id_token_lifetime", _SECONDS),
        Field("refresh_idle", "refresh_token_idle_expiration", _SECONDS),
        Field("refresh", "refresh_token_expiration", _SECONDS),
    ),
)


def effective(chosen: TokenLifetimes | None, most: TokenLifetimes) -> TokenLifetimes:
    """The lifetimes in force: those of the instance, each as long as the operator allows now at most."""
    if chosen is None:
        return most
    return TokenLifetimes(
        **{name: min(getattr(chosen, name), getattr(most, name)) for name in chosen.__struct_fields__}
    )


def problems_of(wanted: TokenLifetimes, most: TokenLifetimes) -> Problems:
    """Everything wrong with them, by the names of the management API.

    Args:
        most: the operator's settings.
    """
    for field in LIFETIME_FIELDS.fields:
        if getattr(wanted, field.name) > getattr(most, field.name):
            yield Problem(field.place, LIFETIME_TOO_LONG)
        if getattr(wanted, field.name) < SHORTEST:
            yield Problem(field.place, INVALID_LIFETIME)
