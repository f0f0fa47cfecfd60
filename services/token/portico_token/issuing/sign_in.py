"""How and when a user signed in, for APIs that require a stronger or newer sign-in (RFC 9470 section 6)."""

from __future__ import annotations

from typing import Any

from portico_token.domain.grants import Grant
from portico_token.domain.origin import Origin


def sign_in_of(grant: Grant, skew: int) -> dict[str, Any]:
    """Acr and auth_time of a user's sign-in; neither is stated that was not proven. `skew` is that of the client."""
    if not grant.id or grant.origin is not Origin.SIGN_IN or grant.actor:
        return {}
    acr = {"acr": grant.acr} if grant.acr else {}
    return acr | ({"auth_time": grant.auth_time - skew} if grant.auth_time_proven else {})
