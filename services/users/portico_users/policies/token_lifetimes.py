"""Token lifetimes of the instance, at most those of the operator's settings.

The operator's settings determine how long retired keys stay published and how long revocations of users'
tokens are stored, so the instance may only set shorter lifetimes.
"""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts import apply as document
from portico_oauth.errors import ErrorCode, Kind

from portico_users.values.fields import Field, Fields, WholeSeconds
from portico_users.values.problems import Problem, Problems

SHORTEST: Final = 60
"""In seconds; shorter lifetimes would end a session before an administrator could increase them again."""

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
    """In seconds; ``refresh_idle`` is the time between two uses, ``refresh`` that of all tokens of a grant."""

    access_token: int
    id_token: int
    refresh_idle: int
    refresh: int


class LongestLifetimes(TokenLifetimes, frozen=True, kw_only=True, rename="camel"):
    pass


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
    """Returns the instance's lifetimes, limited to the operator's current maximum."""
    if chosen is None:
        return most
    return TokenLifetimes(
        **{name: min(getattr(chosen, name), getattr(most, name)) for name in chosen.__struct_fields__}
    )


def problems_of(wanted: TokenLifetimes, most: TokenLifetimes) -> Problems:
    for field in LIFETIME_FIELDS.fields:
        if getattr(wanted, field.name) > getattr(most, field.name):
            yield Problem(field.place, LIFETIME_TOO_LONG)
        if getattr(wanted, field.name) < SHORTEST:
            yield Problem(field.place, INVALID_LIFETIME)
