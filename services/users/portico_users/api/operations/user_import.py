from __future__ import annotations

from typing import Final

from portico_users.api.management_v1.users.import_users import import_human_users
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.targets import own_or_named_org
from portico_users.resources.members.permissions import Permission

USER_IMPORT: Final[tuple[Operation, ...]] = (
    Operation(
        "portico.management.v1.UserService.ImportHumanUsers",
        Permission.USER_WRITE,
        own_or_named_org,
        import_human_users,
    ),
)
