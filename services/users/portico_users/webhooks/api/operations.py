from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.management_api.protobuf.changing import changing
from portico_users.management_api.transport.call import Target
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import instance_as_owner, org_as_owner
from portico_users.webhooks.api import webhooks
from portico_users.webhooks.commands import RemoveWebhook, UpdateWebhook
from portico_users.webhooks.targets import instance_webhook, own_webhook
from portico_users.webhooks.webhook import Webhook

_Operations = tuple[Operation, ...]


def _of(
    service: str,
    read: Permission,
    write: Permission,
    owner: Callable[..., Awaitable[Target[str]]],
    webhook: Callable[..., Awaitable[Target[Webhook]]],
) -> _Operations:
    return (
        Operation(f"{service}.AddWebhook", write, owner, webhooks.add_webhook),
        Operation(f"{service}.GetWebhook", read, webhook, webhooks.get_webhook),
        Operation(f"{service}.ListWebhooks", read, owner, webhooks.list_webhooks),
        changing(f"{service}.UpdateWebhook", write, webhook, UpdateWebhook, after=webhooks.with_values),
        changing(f"{service}.DeactivateWebhook", write, webhook, UpdateWebhook, act=UpdateWebhook.deactivate),
        changing(f"{service}.ActivateWebhook", write, webhook, UpdateWebhook, act=UpdateWebhook.activate),
        Operation(f"{service}.RotateWebhookSecret", write, webhook, webhooks.rotate_webhook_secret),
        changing(f"{service}.RemoveWebhook", write, webhook, RemoveWebhook),
        Operation(f"{service}.ListDeliveries", read, webhook, webhooks.list_deliveries),
        Operation(f"{service}.ResendDelivery", write, webhook, webhooks.resend_delivery),
    )


WEBHOOKS: Final[_Operations] = (
    *_of(
        "portico.management.v1.WebhookService",
        Permission.ORG_WEBHOOK_READ,
        Permission.ORG_WEBHOOK_WRITE,
        org_as_owner,
        own_webhook,
    ),
    *_of(
        "portico.admin.v1.WebhookService",
        Permission.IAM_WEBHOOK_READ,
        Permission.IAM_WEBHOOK_WRITE,
        instance_as_owner,
        instance_webhook,
    ),
)
