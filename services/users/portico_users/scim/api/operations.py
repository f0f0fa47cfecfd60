"""The operations on SCIM connections. A secret opens all that a manager of users may do with ordinary users."""

from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.management_api.protobuf.changing import changing
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import named_user, org_as_owner
from portico_users.scim.api import connections
from portico_users.scim.api.connections import own_connection
from portico_users.scim.api.provisioned_users import list_user_provisioning
from portico_users.scim.commands import ChangeScimSecrets, RemoveScimConnection, UpdateScimConnection

_OF: Final = "portico.management.v1.ScimService"
_READ: Final = Permission.ORG_SCIM_READ
_WRITE: Final = Permission.ORG_SCIM_WRITE

SCIM: Final[tuple[Operation, ...]] = (
    Operation(f"{_OF}.AddScimConnection", _WRITE, org_as_owner, connections.add_connection),
    Operation(f"{_OF}.GetScimConnection", _READ, own_connection, connections.get_connection),
    Operation(f"{_OF}.ListScimConnections", _READ, org_as_owner, connections.list_connections),
    changing(
        f"{_OF}.UpdateScimConnection", _WRITE, own_connection, UpdateScimConnection, after=connections.with_values
    ),
    changing(f"{_OF}.SetScimMapping", _WRITE, own_connection, UpdateScimConnection, after=connections.with_mapping),
    changing(f"{_OF}.RemoveScimConnection", _WRITE, own_connection, RemoveScimConnection),
    Operation(f"{_OF}.AddScimSecret", _WRITE, own_connection, connections.add_secret),
    Operation(f"{_OF}.ListScimSecrets", _READ, own_connection, connections.list_secrets),
    changing(
        f"{_OF}.RemoveScimSecret", _WRITE, own_connection, ChangeScimSecrets, "secret_id", act=ChangeScimSecrets.remove
    ),
    Operation(f"{_OF}.ListUserProvisioning", Permission.USER_READ, named_user, list_user_provisioning, own=True),
)
