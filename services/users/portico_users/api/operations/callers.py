"""The operations on the caller: being signed in is enough."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.management_v1 import callers
from portico_users.api.management_v1.orgs import instance, org_in_any_state
from portico_users.api.transport.operation import Operation

_OF: Final = "portico.management.v1.CallerService"

CALLERS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_OF}.ListMyOrgs", None, instance, callers.list_my_orgs),
    Operation(f"{_OF}.ListMyEvents", None, instance, callers.list_my_events),
    Operation(f"{_OF}.GetMyBranding", None, instance, callers.get_my_branding),
    Operation(f"{_OF}.ListMyPermissions", None, org_in_any_state, callers.list_my_permissions),
)
