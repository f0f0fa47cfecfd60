"""The operations on the settings of the instance."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.admin_v1 import oidc_settings as oidc
from portico_users.api.management_v1.policies.holders import the_instance
from portico_users.api.transport.operation import Operation
from portico_users.directory.members.permissions import Permission

_IAM: Final = "portico.admin.v1.SettingsService"

SETTINGS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_IAM}.GetOIDCSettings", Permission.IAM_READ, the_instance, oidc.get_settings),
    Operation(f"{_IAM}.AddOIDCSettings", Permission.IAM_WRITE, the_instance, oidc.add_settings),
    Operation(f"{_IAM}.UpdateOIDCSettings", Permission.IAM_WRITE, the_instance, oidc.update_settings),
)
