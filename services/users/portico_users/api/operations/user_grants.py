"""The operations on user grants."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.management_v1 import user_grants
from portico_users.api.management_v1.user_grants import granter, listed_granter, named_grant
from portico_users.api.shared.changing import changing
from portico_users.api.transport.operation import Operation
from portico_users.commands.grants.user_grants import RevokeRoles, UpdateUserGrant
from portico_users.directory.members.permissions import Permission

_OF: Final = "portico.management.v1.UserGrantService"
_READ: Final = Permission.USER_GRANT_READ
_WRITE: Final = Permission.USER_GRANT_WRITE

USER_GRANTS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_OF}.AddUserGrant", _WRITE, granter, user_grants.add_user_grant),
    Operation(f"{_OF}.GetUserGrantByID", _READ, named_grant, user_grants.get_user_grant_by_id, own=True),
    changing(f"{_OF}.UpdateUserGrant", _WRITE, named_grant, UpdateUserGrant, "role_keys"),
    changing(f"{_OF}.DeactivateUserGrant", _WRITE, named_grant, UpdateUserGrant, act=UpdateUserGrant.deactivate),
    changing(f"{_OF}.ReactivateUserGrant", _WRITE, named_grant, UpdateUserGrant, act=UpdateUserGrant.reactivate),
    changing(f"{_OF}.RemoveUserGrant", _WRITE, named_grant, RevokeRoles),
    Operation(f"{_OF}.ListUserGrants", _READ, listed_granter, user_grants.list_user_grants),
)
