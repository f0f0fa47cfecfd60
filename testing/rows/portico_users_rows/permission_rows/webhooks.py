"""The rows of webhooks and of their deliveries."""

from __future__ import annotations

from typing import Any, Final

from portico_users_rows.permission_rows.idps import INSTANCE_OBJECTS, INSTANCE_ONLY
from portico_users_rows.permission_rows.row import (
    NOT_NOW,
    OF_OWN_ORG,
    READERS,
    READS_OWN_ORG,
    WRITERS,
    Row,
    but,
    nothing,
)

_ORG: Final = "portico.management.v1.WebhookService"
_IAM: Final = "portico.admin.v1.WebhookService"

_Codes = tuple[int, ...]


def _new(managed: Any, caller: str) -> dict[str, Any]:
    name = f"by {caller} {managed.tag}"
    return {"name": name, "url": "https://hooks.example/in", "eventTypes": ["user.*"]}


def _rows_of(path: str, readers: _Codes, writers: _Codes) -> dict[str, Row]:
    """Rows of the operations on one webhook, by method name; every caller has an active one."""
    one = f"{path}-hook-{{caller}}-{{tag}}"
    return {
        "GetWebhook": Row(one, nothing, readers),
        "UpdateWebhook": Row(one, _new, writers),
        "DeactivateWebhook": Row(f"{one}/_deactivate", nothing, writers),
        "ActivateWebhook": Row(f"{one}/_activate", nothing, but(NOT_NOW, writers)),
        "RotateWebhookSecret": Row(f"{one}/secret", nothing, writers),
        "RemoveWebhook": Row(one, nothing, writers),
        "ListDeliveries": Row(f"{one}/deliveries/_search", nothing, readers),
        "ResendDelivery": Row(f"{one}/deliveries/event/_resend", nothing, writers),
        "TestTokenHook": Row(f"{one}/_test", nothing, but(NOT_NOW, writers)),
    }


WEBHOOK_ROWS: Final = {
    **{f"{_ORG}.{name}": row for name, row in _rows_of("/management/v1/webhooks/own", READERS, WRITERS).items()},
    f"{_ORG}.AddWebhook": Row("", _new, OF_OWN_ORG),
    f"{_ORG}.ListWebhooks": Row("", nothing, READS_OWN_ORG),
    **{
        f"{_IAM}.{name}": row
        for name, row in _rows_of("/admin/v1/webhooks/iam", INSTANCE_OBJECTS, INSTANCE_OBJECTS).items()
    },
    f"{_IAM}.AddWebhook": Row("", _new, INSTANCE_ONLY),
    f"{_IAM}.ListWebhooks": Row("", nothing, INSTANCE_ONLY),
}
"""Callers who may read everything of an organization may read its webhooks; only its owners may receive changes."""
