"""The operations on the caller: being signed in is enough."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.management_v1.callers import own_branding, own_events, own_rights
from portico_users.api.management_v1.orgs.org_targets import instance, org_in_any_state
from portico_users.api.transport.operation import Operation

_OF: Final = "portico.management.v1.CallerService"

CALLERS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_OF}.ListMyOrgs", None, instance, own_rights.list_my_orgs),
    Operation(f"{_OF}.ListMyEvents", None, instance, own_events.list_my_events),
    Operation(f"{_OF}.GetMyBranding", None, instance, own_branding.get_my_branding),
    Operation(f"{_OF}.ListMyPermissions", None, org_in_any_state, own_rights.list_my_permissions),
)
