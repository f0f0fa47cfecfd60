"""What was changed about the caller's own account."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import caller_service_pb2 as pb
from portico_contracts.generated.portico.management.v1.event_service_pb2 import Event

from portico_users.api.shared.details import timestamp_of
from portico_users.api.shared.listing import details_of_list, page_of
from portico_users.api.transport.call import Call
from portico_users.directory.accounts.store import ACCOUNTS
from portico_users.kernel.event_log import EventLog, LoggedEvent


async def list_my_events(
    call: Call[None], request: pb.ListMyEventsRequest, *, events: EventLog
) -> pb.ListMyEventsResponse:
    """A page of the events of the caller's account. Values are none of it: they may hold what others wrote down about them."""
    question = {"$and": [{"at": {"$gte": 0.0}}, {"object": call.caller.user_id}, {"table": ACCOUNTS.name}]}
    found = await events.search(question, page_of(request.query, "at"))
    return pb.ListMyEventsResponse(
        details=details_of_list(found.total), result=[_message(event) for event in found.events]
    )


def _message(event: LoggedEvent) -> Event:
    return Event(
        id=event.id,
        aggregate_type=event.table,
        aggregate_id=event.object,
        resource_owner=event.org_id,
        sequence=event.sequence,
        creation_date=timestamp_of(event.at),
        editor_user_id=event.actor,
        type=event.action,
        fields=event.fields,
    )
