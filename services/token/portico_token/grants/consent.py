"""Consent at the token endpoint: a user may have withdrawn it since the sign-in."""

from __future__ import annotations

from portico_contracts.users import Client, Consent
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.scopes import to_be_allowed

from portico_token.cached_users import CachedUsers

CONSENT_WITHDRAWN = ErrorCode(
    "TOKEN-290",
    Kind.INVALID_GRANT,
    "The user no longer allows the application this access.",
    "Start a new authorization request, so that the user can allow it again.",
)


async def require_consent(
    users: CachedUsers,
    client: Client,
    user_id: str,
    scope: tuple[str, ...],
    resources: tuple[str, ...],
    version: str | None = None,
) -> None:
    """Raises TOKEN-290 if the application requires consent, and the user does not allow all of this."""
    if client.consent is Consent.NONE:
        return
    allowed = await users.allowed_to(user_id, client.client_id, version)
    if not {*to_be_allowed(scope), *resources} <= {*allowed}:
        raise CONSENT_WITHDRAWN.error(user=user_id, compared=Compared("grant"))
