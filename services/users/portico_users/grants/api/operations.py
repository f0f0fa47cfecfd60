"""The operations on roles of users: who may use which project as what."""

from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.grants.api import user_grants
from portico_users.grants.api.user_grants import granter, listed_granter, named_grant
from portico_users.grants.edit_grants import RevokeRoles, UpdateUserGrant
from portico_users.management_api.protobuf.changing import changing
from portico_users.management_api.transport.operation import Operation

_USER_GRANTS: Final = "portico.management.v1.UserGrantService"
_READ: Final = Permission.USER_GRANT_READ
_WRITE: Final = Permission.USER_GRANT_WRITE


USER_GRANTS: Final[tuple[Operation, ...]] = (
    Operation(f"{_USER_GRANTS}.AddUserGrant", _WRITE, granter, user_grants.add_user_grant),
    Operation(f"{_USER_GRANTS}.GetUserGrantByID", _READ, named_grant, user_grants.get_user_grant_by_id, own=True),
    changing(f"{_USER_GRANTS}.UpdateUserGrant", _WRITE, named_grant, UpdateUserGrant, "role_keys"),
    changing(
        f"{_USER_GRANTS}.DeactivateUserGrant", _WRITE, named_grant, UpdateUserGrant, act=UpdateUserGrant.deactivate
    ),
    changing(
        f"{_USER_GRANTS}.ReactivateUserGrant", _WRITE, named_grant, UpdateUserGrant, act=UpdateUserGrant.reactivate
    ),
    changing(f"{_USER_GRANTS}.RemoveUserGrant", _WRITE, named_grant, RevokeRoles),
    Operation(f"{_USER_GRANTS}.ListUserGrants", _READ, listed_granter, user_grants.list_user_grants),
)
