"""Who makes credentials for a user can act as that user."""

from __future__ import annotations

from typing import Any

from portico_oauth.errors import Fact, Kind

from portico_users.accounts.account import AnyUser
from portico_users.management.call import Call
from portico_users.management.caller import caller_of

MORE_POWERFUL = Fact(
    "USER-712",
    Kind.NOT_ALLOWED,
    "This user may do what you may not.",
    "Ask somebody who has at least the roles of this user.",
)


async def require_covered(call: Call[Any], user: AnyUser) -> None:
    """Returns when the caller may do everything the user may (MG-01).

    Raises:
        Refusal: USER-712: with a new credential of the user the caller would have more rights than were given to
            them, those of the instance for example.
    """
    if user.id == call.caller.user_id:
        return
    memberships = await call.needs.members.list_of_user(user.id)
    if not call.caller.covers(caller_of(user.id, user.org_id, memberships)):
        raise MORE_POWERFUL.refusal(user=user.id)
