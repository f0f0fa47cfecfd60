"""The operations on webhooks, of organizations and of the instance."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.management_v1.webhooks import deliveries, webhooks
from portico_users.api.management_v1.webhooks import webhook_targets as targets
from portico_users.api.transport.operation import Operation
from portico_users.directory.members.permissions import Permission

_ORG: Final = "portico.management.v1.WebhookService"
_IAM: Final = "portico.admin.v1.WebhookService"
_READ: Final = Permission.ORG_WEBHOOK_READ
_WRITE: Final = Permission.ORG_WEBHOOK_WRITE
_IAM_READ: Final = Permission.IAM_WEBHOOK_READ
_IAM_WRITE: Final = Permission.IAM_WEBHOOK_WRITE

WEBHOOKS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_ORG}.AddWebhook", _WRITE, targets.org_as_owner, webhooks.add_webhook),
    Operation(f"{_ORG}.GetWebhook", _READ, targets.own_webhook, webhooks.get_webhook),
    Operation(f"{_ORG}.ListWebhooks", _READ, targets.org_as_owner, webhooks.list_webhooks),
    Operation(f"{_ORG}.UpdateWebhook", _WRITE, targets.own_webhook, webhooks.update_webhook),
    Operation(f"{_ORG}.DeactivateWebhook", _WRITE, targets.own_webhook, webhooks.deactivate_webhook),
    Operation(f"{_ORG}.ActivateWebhook", _WRITE, targets.own_webhook, webhooks.activate_webhook),
    Operation(f"{_ORG}.RotateWebhookSecret", _WRITE, targets.own_webhook, webhooks.rotate_webhook_secret),
    Operation(f"{_ORG}.RemoveWebhook", _WRITE, targets.own_webhook, webhooks.remove_webhook),
    Operation(f"{_ORG}.ListDeliveries", _READ, targets.own_webhook, deliveries.list_deliveries),
    Operation(f"{_ORG}.ResendDelivery", _WRITE, targets.own_webhook, deliveries.resend_delivery),
    Operation(f"{_IAM}.AddWebhook", _IAM_WRITE, targets.instance_as_owner, webhooks.add_webhook),
    Operation(f"{_IAM}.GetWebhook", _IAM_READ, targets.instance_webhook, webhooks.get_webhook),
    Operation(f"{_IAM}.ListWebhooks", _IAM_READ, targets.instance_as_owner, webhooks.list_webhooks),
    Operation(f"{_IAM}.UpdateWebhook", _IAM_WRITE, targets.instance_webhook, webhooks.update_webhook),
    Operation(f"{_IAM}.DeactivateWebhook", _IAM_WRITE, targets.instance_webhook, webhooks.deactivate_webhook),
    Operation(f"{_IAM}.ActivateWebhook", _IAM_WRITE, targets.instance_webhook, webhooks.activate_webhook),
    Operation(f"{_IAM}.RotateWebhookSecret", _IAM_WRITE, targets.instance_webhook, webhooks.rotate_webhook_secret),
    Operation(f"{_IAM}.RemoveWebhook", _IAM_WRITE, targets.instance_webhook, webhooks.remove_webhook),
    Operation(f"{_IAM}.ListDeliveries", _IAM_READ, targets.instance_webhook, deliveries.list_deliveries),
    Operation(f"{_IAM}.ResendDelivery", _IAM_WRITE, targets.instance_webhook, deliveries.resend_delivery),
)
