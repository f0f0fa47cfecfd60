"""Webhooks: add, read, change, remove."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import webhook_messages_pb2 as pb
from portico_runtime.clock import Clock

from portico_users.api.management_v1.webhooks.webhook_messages import previous_until, webhook_message
from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.listing import LISTED, details_of_list, page_of
from portico_users.api.shared.messages import MessageValues
from portico_users.api.transport.call import Call
from portico_users.commands.webhooks import AddWebhook, RotateWebhookSecret
from portico_users.kernel.entry import Document
from portico_users.notifications.webhooks.delivery_queues import DeliveryQueues
from portico_users.notifications.webhooks.store import MongoWebhooks
from portico_users.notifications.webhooks.webhook import WEBHOOK_FIELDS, Webhook


async def add_webhook(call: Call[str], request: pb.AddWebhookRequest, *, add: AddWebhook) -> pb.AddWebhookResponse:
    """Adds one, and returns its secret for the only time. Raises as `AddWebhook`."""
    webhook = with_values(Webhook(id="", org_id=call.target.subject, name="", url="", event_types=()), request)
    record, secret = await add(webhook, actor=call.caller.user_id)
    return pb.AddWebhookResponse(id=record.id, details=changed_details_of(record), secret=secret)


async def get_webhook(
    call: Call[Webhook], _request: pb.GetWebhookRequest, *, queues: DeliveryQueues, clock: Clock
) -> pb.GetWebhookResponse:
    """The webhook, active or not, without its secrets."""
    webhook = call.target.subject
    failing = await queues.find_failing((webhook.id,))
    return pb.GetWebhookResponse(webhook=webhook_message(webhook, clock.now(), failing.get(webhook.id)))


async def list_webhooks(
    call: Call[str], request: pb.ListWebhooksRequest, *, webhooks: MongoWebhooks, queues: DeliveryQueues, clock: Clock
) -> pb.ListWebhooksResponse:
    """A page of the owner's webhooks, by name."""
    question: Document = {"$and": [{"orgId": call.target.subject}, LISTED]}
    found = await webhooks.list_page(question, page_of(request.query, "nameKey"))
    failing = await queues.find_failing(webhook.id for webhook in found.records)
    now = clock.now()
    result = [webhook_message(webhook, now, failing.get(webhook.id)) for webhook in found.records]
    return pb.ListWebhooksResponse(details=details_of_list(found.total), result=result)


def with_values(before: Webhook, request: pb.AddWebhookRequest | pb.UpdateWebhookRequest) -> Webhook:
    """The webhook with name, address and event types of a request."""
    return WEBHOOK_FIELDS.changed(before, MessageValues(request))


async def rotate_webhook_secret(
    call: Call[Webhook], request: pb.RotateWebhookSecretRequest, *, rotate: RotateWebhookSecret, clock: Clock
) -> pb.RotateWebhookSecretResponse:
    """A new secret, returned for the only time; the one before signs beside it for a while."""
    keep = request.keep_previous_seconds if request.HasField("keep_previous_seconds") else None
    record, secret = await rotate(call.target.subject, keep, actor=call.caller.user_id)
    return pb.RotateWebhookSecretResponse(
        details=changed_details_of(record), secret=secret, previous_secret_until=previous_until(record, clock.now())
    )
