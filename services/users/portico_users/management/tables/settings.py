"""The operations on the settings of the instance."""

from __future__ import annotations

from typing import Any, Final

from portico_users.domain.permissions import Permission
from portico_users.management.calls.policies.holders import the_instance
from portico_users.management.calls.settings import oidc
from portico_users.management.operation import Operation

_IAM: Final = "portico.admin.v1.SettingsService"

SETTINGS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_IAM}.GetOIDCSettings", Permission.IAM_READ, the_instance, oidc.get_settings),
    Operation(f"{_IAM}.AddOIDCSettings", Permission.IAM_WRITE, the_instance, oidc.add_settings),
    Operation(f"{_IAM}.UpdateOIDCSettings", Permission.IAM_WRITE, the_instance, oidc.update_settings),
)
