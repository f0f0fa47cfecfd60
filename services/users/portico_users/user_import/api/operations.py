from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import own_or_named_org
from portico_users.user_import.api.import_users import import_human_users

USER_IMPORT: Final[tuple[Operation, ...]] = (
    Operation(
        "portico.management.v1.UserService.ImportHumanUsers",
        Permission.USER_WRITE,
        own_or_named_org,
        import_human_users,
    ),
)
