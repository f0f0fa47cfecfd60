"""The log of deliveries: read, and sent again."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import webhook_messages_pb2 as pb
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.management_v1.webhooks.webhook_messages import DELIVERY_STATES, delivery_message
from portico_users.api.shared.listing import details_of_list, page_of
from portico_users.api.transport.call import Call
from portico_users.kernel.entry import Document
from portico_users.kernel.records import State
from portico_users.notifications.webhooks.webhook import Webhook

DELIVERY_NOT_FOUND = ErrorCode(
    "USER-804",
    Kind.NOT_FOUND,
    "This event was not for this webhook, or it is too long ago.",
    "Look into the list of deliveries.",
)
WEBHOOK_SILENT = ErrorCode(
    "USER-805", Kind.FAILED_PRECONDITION, "The webhook is switched off.", "Activate it before something is sent again."
)

_STORED: Final = {number: state.value for state, number in DELIVERY_STATES.items()}


async def list_deliveries(call: Call[Webhook], request: pb.ListDeliveriesRequest) -> pb.ListDeliveriesResponse:
    """A page of the deliveries that meet all conditions, by the time of the event."""
    question: Document = {"webhookId": call.target.subject.id}
    if request.states:
        question["state"] = {"$in": [_STORED[state] for state in request.states if state in _STORED]}
    if request.aggregate_id:
        question["object"] = request.aggregate_id
    total, found = await call.needs.deliveries.search(question, page_of(request.query, "at"))
    return pb.ListDeliveriesResponse(details=details_of_list(total), result=[delivery_message(one) for one in found])


async def resend_delivery(call: Call[Webhook], request: pb.ResendDeliveryRequest) -> pb.ResendDeliveryResponse:
    """Has an event sent now, under the same id, whatever became of it.

    Raises:
        ServiceError: USER-804 for what is not in the log, USER-805 for a webhook that is switched off.
    """
    needs, webhook = call.needs, call.target.subject
    delivery = await needs.deliveries.find(webhook.id, request.event_id)
    if delivery is None:
        raise DELIVERY_NOT_FOUND.error()
    if webhook.state is not State.ACTIVE:
        raise WEBHOOK_SILENT.error()
    await needs.deliveries.send_again(delivery)
    await needs.queues.reset_attempts(webhook.id)
    await needs.queues.wake((webhook.id,))
    return pb.ResendDeliveryResponse()
