"""The operations on outside servers, with the permissions for identity providers: both are trust in other servers."""

from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.management_api.protobuf.changing import changing
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import org_as_owner
from portico_users.outside_servers.api import servers
from portico_users.outside_servers.api.servers import own_server
from portico_users.outside_servers.commands import RemoveOutsideServer, UpdateOutsideServer

_OF: Final = "portico.management.v1.OutsideServerService"
_READ: Final = Permission.ORG_IDP_READ
_WRITE: Final = Permission.ORG_IDP_WRITE

OUTSIDE_SERVERS_API: Final[tuple[Operation, ...]] = (
    Operation(f"{_OF}.AddOutsideServer", _WRITE, org_as_owner, servers.add_server),
    Operation(f"{_OF}.GetOutsideServer", _READ, own_server, servers.get_server),
    Operation(f"{_OF}.ListOutsideServers", _READ, org_as_owner, servers.list_servers),
    changing(f"{_OF}.UpdateOutsideServer", _WRITE, own_server, UpdateOutsideServer, after=servers.with_values),
    changing(f"{_OF}.RemoveOutsideServer", _WRITE, own_server, RemoveOutsideServer),
)
