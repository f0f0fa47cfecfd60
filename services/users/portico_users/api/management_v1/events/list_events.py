"""Lists events."""

from __future__ import annotations

from typing import Final

from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.management.v1 import event_service_pb2 as pb

from portico_users.api.management_v1.events.event_objects import EventObjects
from portico_users.api.management_v1.events.object_names import ObjectNames
from portico_users.api.shared.details import timestamp_of
from portico_users.api.shared.listing import details_of_list, page_of
from portico_users.api.transport.call import Call
from portico_users.kernel.entry import Document
from portico_users.kernel.event_log import EventLog, LoggedEvent

_EQUAL: Final = (("aggregate_id", "object"), ("editor_user_id", "actor"), ("resource_owner", "orgId"))
_ONE_OF: Final = (("aggregate_types", "table"), ("types", "action"))
"""Fields of the request, and the members of an event that they are compared with; each is in an index."""


async def list_events(
    call: Call[tuple[str, ...] | None], request: pb.ListEventsRequest, *, events: EventLog, names: ObjectNames
) -> pb.ListEventsResponse:
    """A page of the events that meet all conditions, of the organizations the caller may read events of (MG-22)."""
    found = await events.search({"$and": _conditions(call, request)}, page_of(request.query, "at"))
    objects = EventObjects(call.caller, await names.find(EventObjects.wanted(found.events)))
    return pb.ListEventsResponse(
        details=details_of_list(found.total), result=[_message(event, objects) for event in found.events]
    )


def _conditions(call: Call[tuple[str, ...] | None], request: pb.ListEventsRequest) -> list[Document]:
    parts: list[Document] = [{"at": {"$gte": 0.0}}]
    if call.target.subject is not None:
        parts.append({"orgId": {"$in": list(call.target.subject)}})
    parts += [{member: getattr(request, field)} for field, member in _EQUAL if getattr(request, field)]
    parts += [{member: {"$in": list(getattr(request, field))}} for field, member in _ONE_OF if getattr(request, field)]
    if request.HasField("since"):
        parts.append({"at": {"$gte": _seconds(request.since)}})
    if request.HasField("before"):
        parts.append({"at": {"$lt": _seconds(request.before)}})
    return parts


def _seconds(timestamp: Timestamp) -> float:
    return timestamp.ToMicroseconds() / 1_000_000


def _message(event: LoggedEvent, objects: EventObjects) -> pb.Event:
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
        editor=objects.editor_of(event),
        object=objects.object_of(event),
        organization=objects.organization_of(event),
        related=objects.related_to(event),
    )
