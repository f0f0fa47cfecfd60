"""Webhooks of organizations and of the instance, and their deliveries."""

from __future__ import annotations

from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.management.v1 import webhook_messages_pb2 as pb
from portico_runtime.process.clock import Clock

from portico_users.management_api.protobuf.details import changed_details_of, details_of, timestamp_of
from portico_users.management_api.protobuf.listing import details_of_list, page_of
from portico_users.management_api.protobuf.messages import MessageValues, message_of
from portico_users.management_api.transport.call import Call
from portico_users.storage.entry import NOT_DELETED, Document
from portico_users.webhooks.commands import AddWebhook, ResendDelivery, RotateWebhookSecret
from portico_users.webhooks.deliveries import Attempt, Deliveries, Delivery, DeliveryState
from portico_users.webhooks.delivery_queues import DeliveryQueues
from portico_users.webhooks.store import MongoWebhooks
from portico_users.webhooks.webhook import WEBHOOK_FIELDS, Webhook

DELIVERY_STATES: Final = {
    DeliveryState.WAITING: pb.DELIVERY_STATE_WAITING,
    DeliveryState.DELIVERED: pb.DELIVERY_STATE_DELIVERED,
    DeliveryState.GIVEN_UP: pb.DELIVERY_STATE_GIVEN_UP,
    DeliveryState.WITHDRAWN: pb.DELIVERY_STATE_WITHDRAWN,
}


def webhook_message(webhook: Webhook, now: float, failing_since: float | None) -> pb.Webhook:
    return message_of(
        pb.Webhook,
        WEBHOOK_FIELDS,
        webhook,
        id=webhook.id,
        details=details_of(webhook),
        previous_secret_until=previous_until(webhook, now),
        failing_since=timestamp_of(failing_since) if failing_since else None,
        failure=webhook.failure,
    )


def previous_until(webhook: Webhook, now: float) -> Timestamp | None:
    return next((timestamp_of(one.until) for one in webhook.secrets if now < one.until), None)


def delivery_message(delivery: Delivery) -> pb.Delivery:
    waits = delivery.state is DeliveryState.WAITING
    return pb.Delivery(
        event_id=delivery.event_id,
        event_type=delivery.type,
        aggregate_id=delivery.object,
        sequence=delivery.sequence,
        event_date=timestamp_of(delivery.at),
        state=DELIVERY_STATES[delivery.state],
        attempt_count=delivery.attempts,
        attempts=[_attempt(one) for one in delivery.log],
        next_attempt=timestamp_of(delivery.not_before) if waits else None,
        give_up=timestamp_of(delivery.until) if waits else None,
    )


def _attempt(attempt: Attempt) -> pb.DeliveryAttempt:
    return pb.DeliveryAttempt(
        date=timestamp_of(attempt.at), http_status=attempt.status, duration_ms=attempt.milliseconds, cause=attempt.cause
    )


async def add_webhook(call: Call[str], request: pb.AddWebhookRequest, *, add: AddWebhook) -> pb.AddWebhookResponse:
    webhook = with_values(Webhook(id="", org_id=call.target.subject, name="", url="", event_types=()), request)
    record, secret = await add(webhook, actor=call.caller.user_id)
    return pb.AddWebhookResponse(id=record.id, details=changed_details_of(record), secret=secret)


async def get_webhook(
    call: Call[Webhook], _request: pb.GetWebhookRequest, *, queues: DeliveryQueues, clock: Clock
) -> pb.GetWebhookResponse:
    webhook = call.target.subject
    failing = await queues.find_failing((webhook.id,))
    return pb.GetWebhookResponse(webhook=webhook_message(webhook, clock.now(), failing.get(webhook.id)))


async def list_webhooks(
    call: Call[str], request: pb.ListWebhooksRequest, *, webhooks: MongoWebhooks, queues: DeliveryQueues, clock: Clock
) -> pb.ListWebhooksResponse:
    question: Document = {"$and": [{"orgId": call.target.subject}, NOT_DELETED]}
    found = await webhooks.list_page(question, page_of(request.query, "nameKey"))
    failing = await queues.find_failing(webhook.id for webhook in found.records)
    now = clock.now()
    result = [webhook_message(webhook, now, failing.get(webhook.id)) for webhook in found.records]
    return pb.ListWebhooksResponse(details=details_of_list(found.total), result=result)


def with_values(before: Webhook, request: pb.AddWebhookRequest | pb.UpdateWebhookRequest) -> Webhook:
    return WEBHOOK_FIELDS.changed(before, MessageValues(request))


async def rotate_webhook_secret(
    call: Call[Webhook], request: pb.RotateWebhookSecretRequest, *, rotate: RotateWebhookSecret, clock: Clock
) -> pb.RotateWebhookSecretResponse:
    keep = request.keep_previous_seconds if request.HasField("keep_previous_seconds") else None
    record, secret = await rotate(call.target.subject, keep, actor=call.caller.user_id)
    return pb.RotateWebhookSecretResponse(
        details=changed_details_of(record), secret=secret, previous_secret_until=previous_until(record, clock.now())
    )


_STORED: Final = {number: state.value for state, number in DELIVERY_STATES.items()}


async def list_deliveries(
    call: Call[Webhook], request: pb.ListDeliveriesRequest, *, deliveries: Deliveries
) -> pb.ListDeliveriesResponse:
    question: Document = {"webhookId": call.target.subject.id}
    if request.states:
        question["state"] = {"$in": [_STORED[state] for state in request.states if state in _STORED]}
    if request.aggregate_id:
        question["object"] = request.aggregate_id
    total, found = await deliveries.search(question, page_of(request.query, "at"))
    return pb.ListDeliveriesResponse(details=details_of_list(total), result=[delivery_message(one) for one in found])


async def resend_delivery(
    call: Call[Webhook], request: pb.ResendDeliveryRequest, *, resend: ResendDelivery
) -> pb.ResendDeliveryResponse:
    await resend(call.target.subject, request.event_id)
    return pb.ResendDeliveryResponse()
