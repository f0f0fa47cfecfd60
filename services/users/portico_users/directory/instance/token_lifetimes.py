"""How long tokens live, as token receives it: together with their client or user, so that it needs no further request."""

from __future__ import annotations

from portico_contracts.users import TokenLifetimes

from portico_users.directory.instance.store import MongoInstance


async def find_token_lifetimes(instances: MongoInstance) -> TokenLifetimes | None:
    """The token lifetimes of the instance; None where it has none."""
    instance = await instances.find_settings()
    lifetimes = instance.token_lifetimes if instance else None
    if lifetimes is None:
        return None
    return TokenLifetimes(
        access_token_seconds=lifetimes.access_token,
        id_token_seconds=lifetimes.id_token,
        refresh_idle_seconds=lifetimes.refresh_idle,
        refresh_seconds=lifetimes.refresh,
    )
