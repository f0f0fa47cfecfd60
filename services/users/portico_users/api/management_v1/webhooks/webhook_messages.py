"""Webhooks and deliveries as messages."""

from __future__ import annotations

from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.management.v1 import webhook_messages_pb2 as pb

from portico_users.api.shared.details import details_of, timestamp_of
from portico_users.api.shared.messages import message_of
from portico_users.notifications.webhooks.deliveries import Attempt, Delivery, DeliveryState
from portico_users.notifications.webhooks.webhook import WEBHOOK_FIELDS, Webhook

DELIVERY_STATES: Final = {
    DeliveryState.WAITING: pb.DELIVERY_STATE_WAITING,
    DeliveryState.DELIVERED: pb.DELIVERY_STATE_DELIVERED,
    DeliveryState.GIVEN_UP: pb.DELIVERY_STATE_GIVEN_UP,
    DeliveryState.WITHDRAWN: pb.DELIVERY_STATE_WITHDRAWN,
}


def webhook_message(webhook: Webhook, now: float, failing_since: float | None) -> pb.Webhook:
    """A webhook without its secrets."""
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
    """When the secret before the newest one stops to sign, if it still does."""
    return next((timestamp_of(one.until) for one in webhook.secrets if now < one.until), None)


def delivery_message(delivery: Delivery) -> pb.Delivery:
    """A delivery with its last attempts."""
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
