"""The rows of the signing keys."""

from __future__ import annotations

from typing import Final

from portico_users_rows.permission_rows.idps import INSTANCE_ONLY
from portico_users_rows.permission_rows.row import Row, nothing

_IAM: Final = "portico.admin.v1.SigningKeyService"

SIGNING_KEY_ROWS: Final = {
    f"{_IAM}.ListSigningKeys": Row("", nothing, INSTANCE_ONLY),
    f"{_IAM}.RotateSigningKeys": Row("", nothing, INSTANCE_ONLY),
    f"{_IAM}.RevokeSigningKey": Row("/admin/v1/signing_keys/a-key", nothing, INSTANCE_ONLY),
}
