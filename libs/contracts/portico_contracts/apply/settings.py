"""Settings of the instance that are no policies."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from portico_contracts.apply.parts import DeclaredObject

DURATION: Final = "^[0-9]{1,10}s$"

Seconds = Annotated[str, Meta(pattern=DURATION)]
"""A duration as the management API writes it: ``3600s``."""


class OidcSettings(DeclaredObject, frozen=True):
    """How long tokens live that are issued from now on; none longer than the operator's settings allow.

    ``refreshTokenIdleExpiration``: a refresh token that is not used for so long is worth nothing;
    ``refreshTokenExpiration``: nor is any of its grant, so long after the first.
    """

    access_token_lifetime: Seconds
    id_token_lifetime: Seconds
    refresh_token_idle_expiration: Seconds
    refresh_token_expiration: Seconds
