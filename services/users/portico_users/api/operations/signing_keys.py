"""The operations on the signing keys."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.admin_v1 import signing_keys as keys
from portico_users.api.management_v1.policies import the_instance
from portico_users.api.transport.operation import Operation
from portico_users.directory.members.permissions import Permission

_IAM: Final = "portico.admin.v1.SigningKeyService"

SIGNING_KEYS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_IAM}.ListSigningKeys", Permission.IAM_READ, the_instance, keys.list_signing_keys),
    Operation(f"{_IAM}.RotateSigningKeys", Permission.IAM_WRITE, the_instance, keys.rotate_signing_keys),
    Operation(f"{_IAM}.RevokeSigningKey", Permission.IAM_WRITE, the_instance, keys.revoke_signing_key),
)
