from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.generated.portico.management.v1 import event_service_pb2 as pb
from portico_contracts.users.listed_events import EventsListed, ListedChange, ListedEvent, ListEvents

from portico_users.administrators.permissions import Permission
from portico_users.audit.api.events import EventObjects, actions_of, event_message, names_of, position_of, token_of
from portico_users.audit.object_names import ObjectNames
from portico_users.journal.event_log import EventLog, LoggedEvent, of_user
from portico_users.management_api.transport.caller import Caller
from portico_users.storage.entry import Document
from portico_users.storage.listing import Page
from portico_users.values.records import SYSTEM

_MOST: Final = 1_000
_OPERATOR: Final = Caller(SYSTEM, "", frozenset(Permission), {})


@dataclass(frozen=True, slots=True)
class OperatorEvents:
    """The event log for the operator, who sees every organization."""

    events: EventLog
    names: ObjectNames

    async def list(self, ask: ListEvents) -> EventsListed:
        """Raises USER-727, USER-950."""
        page = Page(offset=0, limit=max(1, min(ask.limit, _MOST)), sort_by="at", ascending=False)
        after = position_of(ask.after) if ask.after else None
        found = await self.events.search({"$and": _conditions(ask)}, page, after, counted=False)
        objects = EventObjects(_OPERATOR, await names_of(found.events, self.events, self.names))
        listed = tuple(_listed(event, event_message(event, objects)) for event in found.events)
        return EventsListed(events=listed, next=token_of(found.next) if found.next else "")


def _conditions(ask: ListEvents) -> list[Document]:
    found: list[Document] = [{"at": {"$gte": ask.since}}]
    found += [{"at": {"$lt": ask.until}}] if ask.until else []
    found += [{"action": {"$in": actions_of(ask.types)}}] if ask.types else []
    found += [{"activity": ask.activity}] if ask.activity else []
    found += [{"orgId": ask.org_id}] if ask.org_id else []
    found += [of_user(ask.user_id)] if ask.user_id else []
    return found


def _listed(event: LoggedEvent, message: pb.Event) -> ListedEvent:
    changes = (
        ListedChange(field=one.field, before=tuple(one.before), after=tuple(one.after)) for one in message.changes
    )
    return ListedEvent(
        event_id=event.id,
        at=event.at,
        type=event.type,
        activity=event.activity.key,
        summary=message.summary,
        actor=event.actor,
        kind=event.table,
        object=event.object,
        org_id=event.org_id,
        changes=tuple(changes),
    )
