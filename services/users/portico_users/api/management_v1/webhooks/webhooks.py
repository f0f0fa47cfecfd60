"""Webhooks: add, read, change, remove."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.generated.portico.management.v1 import webhook_messages_pb2 as pb

from portico_users.api.management_v1.webhooks.webhook_messages import previous_until, webhook_message
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.listing import LISTED, details_of_list, page_of
from portico_users.api.transport.call import Call
from portico_users.kernel.entry import Document, Entry
from portico_users.kernel.states import deactivated, reactivated, refuse_unchanged
from portico_users.notifications.webhooks.changes import TOO_MANY_WEBHOOKS, put_webhook, with_secret
from portico_users.notifications.webhooks.changes import remove_webhook as removal_of
from portico_users.notifications.webhooks.message import new_secret
from portico_users.notifications.webhooks.rules import MAX_WEBHOOKS
from portico_users.notifications.webhooks.store import WEBHOOK_TABLE
from portico_users.notifications.webhooks.webhook import Webhook

KEEP_SECONDS: Final = 86_400
"""How long the secret before a new one signs where nothing else is said."""


async def add_webhook(call: Call[str], request: pb.AddWebhookRequest) -> pb.AddWebhookResponse:
    """Adds one, and shows its secret for the only time.

    Raises:
        ServiceError: of the rules for webhooks; USER-803 for too many of them, USER-011 for a name that is taken, USER-606
            where secrets cannot be kept.
    """
    needs, owner_id = call.needs, call.target.subject
    if await needs.webhooks.count(owner_id) >= MAX_WEBHOOKS:
        raise TOO_MANY_WEBHOOKS.error()
    secret = new_secret(needs.random)
    webhook = Webhook(
        id=needs.new_id(),
        org_id=owner_id,
        name=request.name,
        url=request.url,
        event_types=tuple(request.event_types),
    )
    entry = put_webhook(None, with_secret(webhook, secret, needs.secrets), needs.outbound_allowed)
    record = await commit(call, entry)
    return pb.AddWebhookResponse(id=record.id, details=changed_details_of(record), secret=secret)


async def get_webhook(call: Call[Webhook], _request: pb.GetWebhookRequest) -> pb.GetWebhookResponse:
    """The webhook, active or not, without its secrets."""
    webhook = call.target.subject
    failing = await call.needs.queues.find_failing((webhook.id,))
    return pb.GetWebhookResponse(webhook=webhook_message(webhook, call.needs.clock.now(), failing.get(webhook.id)))


async def list_webhooks(call: Call[str], request: pb.ListWebhooksRequest) -> pb.ListWebhooksResponse:
    """A page of the owner's webhooks, by name."""
    question: Document = {"$and": [{"orgId": call.target.subject}, LISTED]}
    found = await call.needs.webhooks.list_page(question, page_of(request.query, "nameKey"))
    failing = await call.needs.queues.find_failing(webhook.id for webhook in found.records)
    now = call.needs.clock.now()
    result = [webhook_message(webhook, now, failing.get(webhook.id)) for webhook in found.records]
    return pb.ListWebhooksResponse(details=details_of_list(found.total), result=result)


async def update_webhook(call: Call[Webhook], request: pb.UpdateWebhookRequest) -> pb.ChangeWebhookResponse:
    """Replaces name, address and event types.

    Raises:
        ServiceError: as `add_webhook`; USER-702 when nothing would change.
    """
    before = call.target.subject
    after = msgspec.structs.replace(before, name=request.name, url=request.url, event_types=tuple(request.event_types))
    refuse_unchanged(before, after)
    record = await commit(call, put_webhook(before, after, call.needs.outbound_allowed))
    if before.url != after.url:
        # Nobody waits for the end of a pause the receiver before has earned.
        await call.needs.deliveries.hurry(before.id)
        await call.needs.queues.reset_attempts(before.id)
        await call.needs.queues.wake((before.id,))
    return pb.ChangeWebhookResponse(details=changed_details_of(record))


async def deactivate_webhook(call: Call[Webhook], _request: pb.ChangeWebhookStateRequest) -> pb.ChangeWebhookResponse:
    """It hears nothing more, and what waits is withdrawn; USER-700 when it is not active."""
    before = call.target.subject
    record = await commit(call, Entry(WEBHOOK_TABLE, before, deactivated(before)))
    await call.needs.deliveries.withdraw(before.id)
    return pb.ChangeWebhookResponse(details=changed_details_of(record))


async def activate_webhook(call: Call[Webhook], _request: pb.ChangeWebhookStateRequest) -> pb.ChangeWebhookResponse:
    """It hears again; USER-701 when it is not inactive."""
    before = call.target.subject
    after = msgspec.structs.replace(reactivated(before), failure="")
    # First, so that what it hears then waits for no pause.
    await call.needs.queues.reset_attempts(before.id)
    record = await commit(call, Entry(WEBHOOK_TABLE, before, after))
    return pb.ChangeWebhookResponse(details=changed_details_of(record))


async def rotate_webhook_secret(
    call: Call[Webhook], request: pb.RotateWebhookSecretRequest
) -> pb.RotateWebhookSecretResponse:
    """A new secret, shown for the only time; the one before signs besides it for a while.

    Raises:
        ServiceError: USER-606 where secrets cannot be kept, USER-012.
    """
    needs, before = call.needs, call.target.subject
    keep = request.keep_previous_seconds if request.HasField("keep_previous_seconds") else KEEP_SECONDS
    secret = new_secret(needs.random)
    after = with_secret(before, secret, needs.secrets, old_until=needs.clock.now() + keep if keep else 0.0)
    record = await commit(call, Entry(WEBHOOK_TABLE, before, after))
    return pb.RotateWebhookSecretResponse(
        details=changed_details_of(record),
        secret=secret,
        previous_secret_until=previous_until(record, needs.clock.now()),
    )


async def remove_webhook(call: Call[Webhook], _request: pb.ChangeWebhookStateRequest) -> pb.ChangeWebhookResponse:
    """Removes it with its secrets; what waits is withdrawn, and its name is free."""
    before = call.target.subject
    record = await commit(call, removal_of(before))
    await call.needs.deliveries.withdraw(before.id)
    return pb.ChangeWebhookResponse(details=changed_details_of(record))
