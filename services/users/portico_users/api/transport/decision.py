"""May they? The one place where that is decided (MG-01, MG-04, MG-06)."""

from __future__ import annotations

from typing import Final

from portico_contracts.console import OWN_APPLICATIONS
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.transport.call import Target
from portico_users.api.transport.caller import Caller
from portico_users.directory.members.permissions import Permission

NOT_PERMITTED = ErrorCode(
    "USER-312",
    Kind.PERMISSION_DENIED,
    "Permission denied: {named} is required.",
    "Ask an owner of the organization for a role with this permission.",
)


_WRITES: Final = frozenset(one for one in Permission if not one.endswith(".read"))


def decide(caller: Caller, permission: Permission | None, target: Target[object], *, own: bool | Permission) -> None:
    """Returns when the call is permitted.

    Args:
        permission: what is needed in the organization of the target; None where being signed in is enough.
        own: a user may do it with what is their own; or needs this permission for that.

    Raises:
        ServiceError: USER-312 where the caller may know that the object exists; otherwise the refusal for an unknown one.
    """
    # The console's address or key is a way into every organization.
    if target.project_id == OWN_APPLICATIONS and permission in _WRITES:
        permission = Permission.IAM_WRITE
    if permission is None or caller.may(permission, target.org_id, target.project_id):
        return
    allowed = caller.may(own, target.org_id) if isinstance(own, Permission) else own
    if allowed and target.user_id == caller.user_id:
        return
    # Who has no business in the organization must not learn what is in it.
    raise (NOT_PERMITTED if caller.knows(target.org_id, target.project_id) else target.absent).error(
        named=permission, permission=permission
    )
