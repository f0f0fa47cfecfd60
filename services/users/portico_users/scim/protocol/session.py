"""The authenticated connection of one request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.management_api.transport.caller import Caller
from portico_users.organizations.org import Org
from portico_users.scim.connection import ScimConnection
from portico_users.scim.protocol.placement import Placement, placement_of

OF_USERS: Final = frozenset(
    {Permission.USER_READ, Permission.USER_WRITE, Permission.USER_DELETE, Permission.USER_SELF_DELETE}
)
OF_GROUPS: Final = frozenset({Permission.USER_GRANT_READ, Permission.USER_GRANT_WRITE})


@dataclass(frozen=True, slots=True)
class Session:
    connection: ScimConnection
    org: Org
    caller: Caller

    @property
    def actor(self) -> str:
        """Whom events name."""
        return self.connection.id

    @property
    def placement(self) -> Placement:
        """Where attributes of users are stored."""
        return placement_of(self.connection.mapping)


def session_of(connection: ScimConnection, org: Org) -> Session:
    """The connection has the permissions of what it provisions, in its organization alone."""
    held = (OF_USERS if connection.provisions_users else frozenset()) | (
        OF_GROUPS if connection.provisions_groups else frozenset()
    )
    return Session(connection, org, Caller(connection.id, org.id, frozenset(), {org.id: held}))
