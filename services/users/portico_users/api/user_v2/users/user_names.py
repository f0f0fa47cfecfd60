"""User names that look like the login names of another organization."""

from __future__ import annotations

from portico_users.api.transport.needs import Needs
from portico_users.commands.accounts.user_names import UserNames


async def refuse_foreign_name(needs: Needs, user_name: str, org_id: str, place: str) -> None:
    """As `UserNames.refuse_foreign`."""
    await UserNames(needs.orgs).refuse_foreign(user_name, org_id, place)
