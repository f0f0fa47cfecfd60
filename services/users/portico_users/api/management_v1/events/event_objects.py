"""The objects of events as messages: who did it, what it is about, and to whom that belongs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from portico_contracts.generated.portico.management.v1 import event_service_pb2 as pb

from portico_users.api.management_v1.events.object_names import NAMED_TABLES, NamedObject, Reference
from portico_users.api.transport.caller import Caller
from portico_users.directory.accounts.store import ACCOUNTS
from portico_users.directory.identity_providers.store import IDPS
from portico_users.directory.members.permissions import Permission
from portico_users.directory.organizations.store import ORGS
from portico_users.kernel.event_log import LoggedEvent
from portico_users.kernel.names import INSTANCE
from portico_users.kernel.records import SYSTEM

_PROVIDER: Final = "idpId"
"""The member that names the provider in the event of a refused sign-in, which is no change of the provider."""


@dataclass(frozen=True, slots=True)
class EventObjects:
    """The objects that the events of a page name.

    Args:
        names: everything of `wanted` that is stored.
    """

    caller: Caller
    names: Mapping[Reference, NamedObject]

    @staticmethod
    def wanted(events: Iterable[LoggedEvent]) -> set[Reference]:
        """What is to be looked up for some events."""
        found: set[Reference] = set()
        for event in events:
            # Who did it is a user, or the provider that a sign-in came from.
            found |= {(event.table, event.object), (ACCOUNTS.name, event.actor), (IDPS.name, event.actor)}
            found |= {(ORGS.name, event.org_id), *_provider_of(event)}
        return {reference for reference in found if reference[1] not in (SYSTEM, INSTANCE)}

    def editor_of(self, event: LoggedEvent) -> pb.EventObject:
        """Who did it; a user that is not stored was removed by a release that left nothing of it."""
        if event.actor == SYSTEM:
            return pb.EventObject(id=SYSTEM, type=SYSTEM, name=SYSTEM)
        provider = (IDPS.name, event.actor)
        return self._message(provider if provider in self.names else (ACCOUNTS.name, event.actor))

    def object_of(self, event: LoggedEvent) -> pb.EventObject:
        """What it is about."""
        return self._message((event.table, event.object))

    def organization_of(self, event: LoggedEvent) -> pb.EventObject | None:
        """Whose the object is; None for the instance."""
        return None if event.org_id == INSTANCE else self._message((ORGS.name, event.org_id))

    def related_to(self, event: LoggedEvent) -> list[pb.EventObject]:
        """What the object belongs to in turn."""
        stored = self.names.get((event.table, event.object))
        return [self._message(one) for one in (stored.related if stored else _provider_of(event))]

    def _message(self, reference: Reference) -> pb.EventObject:
        table, id = reference
        stored = self.names.get(reference)
        if stored is None:
            return pb.EventObject(id=id, type=table, removed=table in NAMED_TABLES)
        message = pb.EventObject(id=id, type=table, service_user=stored.service_user, removed=stored.removed)
        # What an object of another organization is called is that organization's (MG-22).
        if self.caller.may(Permission.EVENTS_READ, id if table == ORGS.name else stored.org_id):
            message.name, message.login_name = stored.name, stored.login_name
        return message


def _provider_of(event: LoggedEvent) -> tuple[Reference, ...]:
    id = event.values.get(_PROVIDER)
    return ((IDPS.name, id),) if isinstance(id, str) and event.table not in NAMED_TABLES else ()
