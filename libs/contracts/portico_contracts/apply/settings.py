from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from portico_contracts.apply.parts import DeclaredObject

DURATION: Final = "^[0-9]{1,10}s$"

Seconds = Annotated[str, Meta(pattern=DURATION)]
"""A duration in the format of the management API: ``3600s``."""


class OidcSettings(DeclaredObject, frozen=True):
    """``refreshTokenIdleExpiration`` counts from the last use, ``refreshTokenExpiration`` from the first token."""

    access_token_lifetime: Seconds
    id_token_lifetime: Seconds
    refresh_token_idle_expiration: Seconds
    refresh_token_expiration: Seconds
