"""The event log: lists events, each with the object it is about."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

import msgspec
from google.protobuf.struct_pb2 import Struct
from msgspec import Meta
from portico_contracts.activities.activity import CREATED, IMPORTED, SYSTEM_NAME
from portico_contracts.activities.table import ACTIVITIES, activity_of
from portico_contracts.activities.users import USER_IMPORTS, USERS
from portico_contracts.generated.portico.management.v1 import event_service_pb2 as pb
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import b64url
from portico_web.languages import ENGLISH, Language

from portico_users.accounts.store import ACCOUNTS
from portico_users.administrators.permissions import Permission
from portico_users.applications.store import APPS
from portico_users.audit.api.event_changes import changes_of, references_in
from portico_users.audit.object_names import NAMED_TABLES, NamedObject, ObjectNames, Reference
from portico_users.identity_providers.store import IDPS
from portico_users.journal.event_log import EventLog, LoggedEvent, Position, of_user
from portico_users.management_api.protobuf.details import seconds_of, timestamp_of
from portico_users.management_api.protobuf.error_reasons import reason_of
from portico_users.management_api.protobuf.listing import details_of_list, page_of
from portico_users.management_api.transport.call import Call
from portico_users.management_api.transport.caller import Caller
from portico_users.organizations.org import ORGS
from portico_users.outside_servers.server import OUTSIDE_SERVERS
from portico_users.scim.connection import SCIM_CONNECTIONS
from portico_users.storage.entry import Document
from portico_users.storage.schema import IMPORT
from portico_users.values.names import INSTANCE
from portico_users.values.records import SYSTEM

INVALID_PAGE_TOKEN = ErrorCode(
    "USER-950", Kind.INVALID_REQUEST, "Invalid page token.", "Send the nextPageToken of the previous response."
)

_EQUAL: Final = (
    ("aggregate_id", "object"),
    ("editor_user_id", "actor"),
    ("resource_owner", "orgId"),
    ("error_id", "values.errorId"),
    ("import_id", IMPORT),
)
"""Request fields and the event fields they filter; each is indexed."""

_NOT_IMPORTED: Final = sorted({one.action for one in ACTIVITIES} - {IMPORTED})
"""As values, because an index serves them in the order of time; events with other actions would be compared singly."""


async def list_events(
    call: Call[tuple[str, ...] | None], request: pb.ListEventsRequest, *, events: EventLog, names: ObjectNames
) -> pb.ListEventsResponse:
    """Returns a page of events that match all filters, in organizations where the caller may read events (MG-22)."""
    after = position_of(request.page_token) if request.page_token else None
    found = await events.search(
        {"$and": _conditions(call, request)},
        page_of(request.query, "at"),
        after,
        counted=not (request.user_id or request.group_imports),
    )
    objects = EventObjects(call.caller, await names_of(found.events, events, names))
    return pb.ListEventsResponse(
        details=details_of_list(found.total),
        result=[event_message(event, objects, call.language) for event in found.events],
        next_page_token=token_of(found.next) if found.next else "",
    )


async def names_of(events: Sequence[LoggedEvent], log: EventLog, names: ObjectNames) -> Mapping[Reference, NamedObject]:
    """Current names; for removed objects, the last name in the log."""
    found = await names.find(EventObjects.wanted(events))
    nameless = {one.id for one in found.values() if one.removed and not one.name}
    last = await log.find_last_names(nameless)
    return {key: one._replace(name=one.name or last.get(one.id, "")) for key, one in found.items()}


def _conditions(call: Call[tuple[str, ...] | None], request: pb.ListEventsRequest) -> list[Document]:
    parts: list[Document] = [{"at": {"$gte": 0.0}}]
    if call.target.subject is not None:
        parts.append({"orgId": {"$in": list(call.target.subject)}})
    parts += [{member: getattr(request, field)} for field, member in _EQUAL if getattr(request, field)]
    parts += [{member: {"$in": values}} for member, values in _one_of(request) if values]
    if request.user_id:
        parts.append(of_user(request.user_id))
    if request.HasField("since"):
        parts.append({"at": {"$gte": seconds_of(request.since)}})
    if request.HasField("before"):
        parts.append({"at": {"$lt": seconds_of(request.before)}})
    return parts


def _one_of(request: pb.ListEventsRequest) -> Iterator[tuple[str, list[str]]]:
    tables, activities = list(request.aggregate_types), list(request.activities)
    if request.group_imports:
        yield "table", [*tables, *([USER_IMPORTS] if USERS in tables else [])]
        yield "activity", [*activities, *([_IMPORT] if _CREATED in activities else [])]
        yield "action", list(request.types) or _NOT_IMPORTED
    else:
        yield "table", tables
        yield "activity", [*activities, *([_IMPORTED] if _CREATED in activities else [])]
        yield "action", actions_of(request.types)


_CREATED: Final = activity_of(USERS, CREATED).key
_IMPORTED: Final = activity_of(USERS, IMPORTED).key
_IMPORT: Final = activity_of(USER_IMPORTS, CREATED).key


def actions_of(types: Iterable[str]) -> list[str]:
    found = list(types)
    return [*found, IMPORTED] if CREATED in found else found


_Position = tuple[float, Annotated[int, Meta(ge=0, le=2**63 - 1)], str]
"""A `Position` that the database can compare: finite, with an integer of 64 bits, in valid Unicode."""


def token_of(position: Position) -> str:
    return b64url(json.dumps(position).encode())


def position_of(token: str) -> Position:
    """Raises USER-950: the token is not one of a response."""
    try:
        data = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        return Position(*msgspec.json.decode(data, type=_Position))
    except (ValueError, msgspec.DecodeError) as error:
        raise INVALID_PAGE_TOKEN.error() from error


def event_message(event: LoggedEvent, objects: EventObjects, language: Language = ENGLISH) -> pb.Event:
    event = _with_reason(event, language)
    payload = Struct()
    payload.update(event.values)
    message = pb.Event(
        id=event.id,
        aggregate_type=event.table,
        aggregate_id=event.object,
        resource_owner=event.org_id,
        sequence=event.sequence,
        creation_date=timestamp_of(event.at),
        editor_user_id=event.actor,
        type=event.type,
        fields=event.fields,
        payload=payload,
        editor=objects.editor_of(event),
        object=objects.object_of(event),
        organization=objects.organization_of(event),
        related=objects.related_to(event),
        activity=event.activity.key,
        changes=[pb.EventChange(**one._asdict()) for one in changes_of(event, objects.name_of)],
    )
    message.summary = summary_of(event, message)
    return message


def _with_reason(event: LoggedEvent, language: Language) -> LoggedEvent:
    """The log has the reason of a refusal in English."""
    text = reason_of(str(event.values.get("errorId", "")), language).text
    return event._replace(values={**event.values, "reason": text}) if text and "reason" in event.values else event


def summary_of(event: LoggedEvent, message: pb.Event) -> str:
    related = [(one.type, one.name or one.id) for one in message.related]
    actor = SYSTEM_NAME if event.actor == SYSTEM else message.editor.name or message.editor.id
    return event.activity.say(actor, message.object.name or message.object.id, related, own=event.actor == event.object)


_NAMED_IN: Final = {
    "userId": ACCOUNTS.name,
    "appId": APPS.name,
    "idpId": IDPS.name,
    "serverId": OUTSIDE_SERVERS.name,
}
"""Fields of sign-ins that name objects, which do not change themselves."""


_EDITORS: Final = (ACCOUNTS.name, IDPS.name, SCIM_CONNECTIONS.name)
"""An event is of a user, of the provider of a federated sign-in, or of a directory."""


@dataclass(frozen=True, slots=True)
class EventObjects:
    caller: Caller
    names: Mapping[Reference, NamedObject]

    @staticmethod
    def wanted(events: Iterable[LoggedEvent]) -> set[Reference]:
        found: set[Reference] = set()
        for event in events:
            found |= {(event.table, event.object), *((table, event.actor) for table in _EDITORS)}
            found |= {(ORGS.name, event.org_id), *_named_in(event), *references_in(event)}
        return {reference for reference in found if reference[1] not in (SYSTEM, INSTANCE)}

    def name_of(self, reference: Reference) -> str:
        return self._message(reference).name

    def editor_of(self, event: LoggedEvent) -> pb.EventObject:
        """The user may be missing: older releases deleted users without a trace."""
        if event.actor == SYSTEM:
            return pb.EventObject(id=SYSTEM, type=SYSTEM, name=SYSTEM)
        editors = ((table, event.actor) for table in _EDITORS)
        return self._message(next((one for one in editors if one in self.names), (ACCOUNTS.name, event.actor)))

    def object_of(self, event: LoggedEvent) -> pb.EventObject:
        return self._message((event.table, event.object))

    def organization_of(self, event: LoggedEvent) -> pb.EventObject | None:
        return None if event.org_id == INSTANCE else self._message((ORGS.name, event.org_id))

    def related_to(self, event: LoggedEvent) -> list[pb.EventObject]:
        stored = self.names.get((event.table, event.object))
        named = stored.related if stored else _named_in(event)
        # The project of an application is part of its address.
        apps = [self.names[one] for one in named if one[0] == APPS.name and one in self.names]
        return [self._message(one) for one in (*named, *(parent for app in apps for parent in app.related))]

    def _message(self, reference: Reference) -> pb.EventObject:
        table, id = reference
        stored = self.names.get(reference)
        if stored is None:
            return pb.EventObject(id=id, type=table, removed=table in NAMED_TABLES)
        message = pb.EventObject(id=id, type=table, service_user=stored.service_user, removed=stored.removed)
        # Hide the names of objects of other organizations (MG-22).
        if self.caller.may(Permission.EVENTS_READ, id if table == ORGS.name else stored.org_id):
            message.name, message.login_name, message.resource_owner = stored.name, stored.login_name, stored.org_id
        return message


def _named_in(event: LoggedEvent) -> tuple[Reference, ...]:
    if event.table in NAMED_TABLES:
        return ()
    ids = ((kind, event.values.get(field)) for field, kind in _NAMED_IN.items())
    return tuple((kind, id) for kind, id in ids if isinstance(id, str))
