"""Sends an event to a webhook again."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.errors import ErrorCode, Kind

from portico_users.commands.command import Command
from portico_users.kernel.records import State
from portico_users.notifications.webhooks.deliveries import Deliveries
from portico_users.notifications.webhooks.delivery_queues import DeliveryQueues
from portico_users.notifications.webhooks.webhook import Webhook

DELIVERY_NOT_FOUND = ErrorCode(
    "USER-804",
    Kind.NOT_FOUND,
    "The webhook has no delivery of this event, or it is too old.",
    "See the list of deliveries.",
)
WEBHOOK_INACTIVE = ErrorCode(
    "USER-805", Kind.FAILED_PRECONDITION, "The webhook is deactivated.", "Activate it before you send an event again."
)


@dataclass(frozen=True, slots=True)
class ResendDelivery(Command):
    """Sends it now, under the same id, whatever its state."""

    deliveries: Deliveries
    queues: DeliveryQueues

    async def __call__(self, webhook: Webhook, event_id: str) -> None:
        """Enqueues the delivery; USER-804 for one that is not logged, USER-805 for an inactive webhook."""
        delivery = await self.deliveries.find(webhook.id, event_id)
        if delivery is None:
            raise DELIVERY_NOT_FOUND.error()
        if webhook.state is not State.ACTIVE:
            raise WEBHOOK_INACTIVE.error()
        await self.deliveries.send_again(delivery)
        await self.queues.reset_attempts(webhook.id)
        await self.queues.wake((webhook.id,))
