"""Lists events."""

from __future__ import annotations

from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.management.v1 import event_service_pb2 as pb

from portico_users.api.shared.details import timestamp_of
from portico_users.api.shared.listing import details_of_list, page_of
from portico_users.api.transport.call import Call
from portico_users.kernel.entry import Document
from portico_users.kernel.event_log import EventLog, LoggedEvent


async def list_events(
    call: Call[tuple[str, ...] | None], request: pb.ListEventsRequest, *, events: EventLog
) -> pb.ListEventsResponse:
    """A page of the events that meet all conditions, of the organizations the caller may read events of (MG-22)."""
    parts: list[Document] = [{"at": {"$gte": 0.0}}]
    if call.target.subject is not None:
        parts.append({"orgId": {"$in": list(call.target.subject)}})
    if request.aggregate_id:
        parts.append({"object": request.aggregate_id})
    if request.aggregate_types:
        parts.append({"table": {"$in": list(request.aggregate_types)}})
    if request.editor_user_id:
        parts.append({"actor": request.editor_user_id})
    if request.HasField("since"):
        parts.append({"at": {"$gte": _seconds(request.since)}})
    if request.HasField("before"):
        parts.append({"at": {"$lt": _seconds(request.before)}})
    found = await events.search({"$and": parts}, page_of(request.query, "at"))
    return pb.ListEventsResponse(
        details=details_of_list(found.total), result=[_message(event) for event in found.events]
    )


def _seconds(timestamp: Timestamp) -> float:
    return timestamp.ToMicroseconds() / 1_000_000


def _message(event: LoggedEvent) -> pb.Event:
    payload = Struct()
    payload.update(event.values)
    return pb.Event(
        id=event.id,
        aggregate_type=event.table,
        aggregate_id=event.object,
        resource_owner=event.org_id,
        sequence=event.sequence,
        creation_date=timestamp_of(event.at),
        editor_user_id=event.actor,
        type=event.action,
        fields=event.fields,
        payload=payload,
    )
