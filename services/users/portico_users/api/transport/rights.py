"""No caller gains rights by what they may do to other users (MG-01)."""

from __future__ import annotations

from typing import Any, Final

from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.transport.call import Call
from portico_users.api.transport.caller import caller_of
from portico_users.directory.members.permissions import Permission
from portico_users.directory.members.store import MongoMembers

MORE_POWERFUL = ErrorCode(
    "USER-712",
    Kind.PERMISSION_DENIED,
    "This user may do what you may not.",
    "Ask an administrator who has at least the roles of this user.",
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
