"""The log of deliveries: read, and sent again."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import webhook_messages_pb2 as pb

from portico_users.api.management_v1.webhooks.webhook_messages import DELIVERY_STATES, delivery_message
from portico_users.api.shared.listing import details_of_list, page_of
from portico_users.api.transport.call import Call
from portico_users.commands.webhooks import ResendDelivery
from portico_users.kernel.entry import Document
from portico_users.notifications.webhooks.deliveries import Deliveries
from portico_users.notifications.webhooks.webhook import Webhook

_STORED: Final = {number: state.value for state, number in DELIVERY_STATES.items()}


async def list_deliveries(
    call: Call[Webhook], request: pb.ListDeliveriesRequest, *, deliveries: Deliveries
) -> pb.ListDeliveriesResponse:
    """A page of the deliveries that meet all conditions, by the time of the event."""
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
    """Sends an event again. Raises as `ResendDelivery`."""
    await resend(call.target.subject, request.event_id)
    return pb.ResendDeliveryResponse()
