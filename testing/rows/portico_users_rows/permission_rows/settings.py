"""The rows of the instance's settings."""

from __future__ import annotations

from typing import Any, Final

from portico_users_rows.permission_rows.idps import INSTANCE_ONLY
from portico_users_rows.permission_rows.row import Row, body, nothing

_IAM: Final = "portico.admin.v1.SettingsService"
_EMAIL: Final = "portico.admin.v1.EmailService"
_INVITATION: Final = body(template="EMAIL_TEMPLATE_INVITE")
_WANTED: Final = body(
    accessTokenLifetime="600s",
    idTokenLifetime="600s",
    refreshTokenIdleExpiration="600s",
    refreshTokenExpiration="600s",
)


def _urls(managed: Any, caller: str) -> dict[str, Any]:
    return {"urls": [f"https://{managed.tag}.example/{caller}"]}


_allowed = body(allowImpersonation=True)


SETTINGS_ROWS: Final = {
    f"{_IAM}.GetOIDCSettings": Row("", nothing, INSTANCE_ONLY),
    f"{_IAM}.AddOIDCSettings": Row("", _WANTED, INSTANCE_ONLY),
    f"{_IAM}.UpdateOIDCSettings": Row("", _WANTED, INSTANCE_ONLY),
    f"{_IAM}.GetIDPIntentSettings": Row("", nothing, INSTANCE_ONLY),
    f"{_IAM}.SetIDPIntentSettings": Row("", _urls, INSTANCE_ONLY),
    f"{_IAM}.GetImpersonationSettings": Row("", nothing, INSTANCE_ONLY),
    f"{_IAM}.SetImpersonationSettings": Row("", _allowed, INSTANCE_ONLY),
    f"{_EMAIL}.GetEmailDelivery": Row("", nothing, INSTANCE_ONLY),
    f"{_EMAIL}.SendTestEmail": Row("", nothing, INSTANCE_ONLY),
    f"{_EMAIL}.PreviewEmail": Row("", _INVITATION, INSTANCE_ONLY),
    f"{_EMAIL}.SendEmailPreview": Row("", _INVITATION, INSTANCE_ONLY),
}
