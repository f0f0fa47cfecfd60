from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from portico_contracts.events import USER_CHANGED, WEBHOOKS, Changed, CreatedTogether
from portico_contracts.subjects import Event
from portico_runtime.process.clock import Clock

from portico_users.bus import Bus
from portico_users.organizations.org import MongoOrgs
from portico_users.values.records import State
from portico_users.webhooks.deliveries import Deliveries, Delivery
from portico_users.webhooks.delivery_queues import DeliveryQueues
from portico_users.webhooks.rules import MAX_WEBHOOKS, type_of
from portico_users.webhooks.store import MongoWebhooks
from portico_users.webhooks.webhook import GIVE_UP_SECONDS, Webhook, body_of

_LIMIT: Final = 4 * MAX_WEBHOOKS
"""Webhooks of organization and instance, with some room for concurrent additions."""


READ_SECONDS: Final = 1.0
"""How long webhooks that were read serve older events, such as those of an import, which wait for their turn."""

CLOCKS_APART: Final = 5.0
"""An event counts as older only by more than this, because another replica's clock may have stamped it."""


MOST_READ: Final = 100


class _Read(NamedTuple):
    at: float
    webhooks: list[Webhook]


async def _nothing(_event: Event[Changed], _changes: Sequence[Changed]) -> None:
    pass


@dataclass(frozen=True, slots=True)
class EventConsumer:
    bus: Bus
    webhooks: MongoWebhooks
    orgs: MongoOrgs
    deliveries: Deliveries
    queues: DeliveryQueues
    clock: Clock
    tables: Mapping[str, str]
    also: Callable[[Event[Changed], Sequence[Changed]], Awaitable[None]] = _nothing
    """Gets each event too: what reacts to the same events needs no consumer, whose messages cost at rest."""
    read: dict[str, _Read] = field(default_factory=dict)
    """The last webhooks, by organization."""

    async def run_once(self) -> None:
        """Consumes one event, if one arrives within a few seconds; after an error it is redelivered."""
        await self.bus.consume(WEBHOOKS, self.consume)

    async def consume(self, event: Event[Any], body: Changed | CreatedTogether) -> None:
        """Idempotent. An organization's webhooks receive only events of that organization (MG-01)."""
        if isinstance(body, CreatedTogether):
            await self._consume_all(USER_CHANGED, body.changes)
        else:
            await self._consume_all(event, (body,))

    async def _consume_all(self, event: Event[Changed], changes: Sequence[Changed]) -> None:
        await self.also(event, changes)
        last = {one.org_id: one.at for one in sorted(changes, key=lambda one: one.at)}
        webhooks = {org_id: await self._webhooks(org_id, at) for org_id, at in last.items()}
        deliveries: list[Delivery] = []
        for changed in changes:
            event_type = type_of(event, changed)
            if receiving := [one for one in webhooks[changed.org_id] if one.receives(event_type)]:
                body = body_of(event_type, self.tables[event.subject], changed)
                deliveries += [self._delivery(webhook, event_type, changed, body) for webhook in receiving]
        if deliveries:
            await self.deliveries.put(deliveries)
            await self.queues.wake({one.webhook_id for one in deliveries})

    async def _webhooks(self, org_id: str, at: float) -> list[Webhook]:
        """Returns the webhooks as they were at a time after the event."""
        now, last = self.clock.now(), self.read.get(org_id)
        if last and at + CLOCKS_APART < last.at and 0 <= now - last.at < READ_SECONDS:
            return last.webhooks
        found = await self._read_webhooks(org_id)
        if len(self.read) >= MOST_READ:
            self.read.clear()
        self.read[org_id] = _Read(now, found)
        return found

    async def _read_webhooks(self, org_id: str) -> list[Webhook]:
        found = await self.webhooks.list_receiving(org_id, _LIMIT)
        if all(webhook.of_instance for webhook in found):
            return found
        org = await self.orgs.find(org_id)
        is_there = org is not None and org.state is not State.DELETED
        return [webhook for webhook in found if webhook.of_instance or is_there]

    def _delivery(self, webhook: Webhook, event_type: str, changed: Changed, body: str) -> Delivery:
        now = self.clock.now()
        return Delivery(
            webhook_id=webhook.id,
            event_id=changed.event_id,
            type=event_type,
            object=changed.aggregate_id,
            sequence=changed.sequence,
            at=changed.at,
            body=body,
            not_before=now,
            until=now + GIVE_UP_SECONDS,
        )
