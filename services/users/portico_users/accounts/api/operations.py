"""The operations in which callers ask about themselves."""

from __future__ import annotations

from typing import Final

from portico_users.accounts.api import callers
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import instance, org_in_any_state

_CALLERS: Final = "portico.management.v1.CallerService"


CALLERS: Final[tuple[Operation, ...]] = (
    Operation(f"{_CALLERS}.ListMyOrgs", None, instance, callers.list_my_orgs),
    Operation(f"{_CALLERS}.ListMyEvents", None, instance, callers.list_my_events),
    Operation(f"{_CALLERS}.GetMyBranding", None, instance, callers.get_my_branding),
    Operation(f"{_CALLERS}.GetMyPasswordRules", None, instance, callers.get_my_password_rules),
    Operation(f"{_CALLERS}.ListMyPermissions", None, org_in_any_state, callers.list_my_permissions),
)
