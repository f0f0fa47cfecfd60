"""No caller gains rights by what they may do to other users (MG-01)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Protocol

from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.transport.call import Call
from portico_users.api.transport.caller import caller_of
from portico_users.directory.members.member import Member, MemberScope
from portico_users.directory.members.permissions import Permission
from portico_users.directory.members.roles import ROLES
from portico_users.directory.members.store import MongoMembers

MORE_POWERFUL = ErrorCode(
    "USER-712",
    Kind.PERMISSION_DENIED,
    "You cannot change a user who has more permissions than you.",
    "Ask an administrator who has at least the roles of this user.",
)

MORE_THAN_OWN = ErrorCode(
    "USER-737",
    Kind.PERMISSION_DENIED,
    "This role allows more than your own roles do.",
    "Ask an administrator whose roles allow at least as much.",
)

OVER_USERS: Final = frozenset(
    {
        Permission.USER_WRITE,
        Permission.USER_DELETE,
        Permission.USER_CREDENTIAL_WRITE,
        Permission.USER_PASSKEY_WRITE,
    }
)
"""With these a caller can become another user: set the password, remove the second factor, read the codes."""


class GivesRoles(Protocol):
    """A request that gives a member roles."""

    @property
    def roles(self) -> Iterable[str]:
        """The roles."""
        ...


async def require_covered(call: Call[Any], members: MongoMembers) -> None:
    """Returns when the caller may do everything that the user may whom the call is about, or is that user.

    Raises:
        ServiceError: USER-712: acting as the user the caller would have more rights than were given to them, those of
            the instance for example.
    """
    user_id = call.target.user_id
    if user_id in ("", call.caller.user_id):
        return
    memberships = await members.list_of_user(user_id)
    if not call.caller.covers(caller_of(user_id, call.target.org_id, memberships)):
        raise MORE_POWERFUL.error(user=user_id)


def require_roles_covered(call: Call[MemberScope], request: GivesRoles) -> None:
    """Returns when the caller may do everything that the roles of the request allow.

    Raises:
        ServiceError: USER-737. Roles that do not exist are for the command to refuse.
    """
    scope = call.target.subject
    roles = tuple(role for role in request.roles if ROLES.get(role) is scope.kind)
    given = Member(id="", org_id=scope.org_id, user_id="", scope=scope.kind, scope_id=scope.id, roles=roles)
    if not call.caller.covers(caller_of("", "", [given])):
        raise MORE_THAN_OWN.error(roles=" ".join(roles))
