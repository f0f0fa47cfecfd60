"""Webhooks are read once for many events that wait."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from portico_contracts.events import USER_CHANGED, Changed
from portico_users.webhooks.event_consumer import EventConsumer

NOW = 1_000_000.0


class World:
    def __init__(self) -> None:
        self.now = NOW
        self.reads: list[str] = []
        self.consumer = EventConsumer(
            bus=SimpleNamespace(),
            webhooks=SimpleNamespace(list_receiving=self.list_receiving),  # type: ignore[arg-type]
            orgs=SimpleNamespace(),  # type: ignore[arg-type]
            deliveries=SimpleNamespace(),  # type: ignore[arg-type]
            queues=SimpleNamespace(),  # type: ignore[arg-type]
            clock=SimpleNamespace(now=lambda: self.now),
            tables={},
        )

    async def list_receiving(self, org_id: str, _limit: int) -> list[Any]:
        self.reads.append(org_id)
        return []

    async def consume(self, org_id: str, at: float) -> None:
        changed = Changed(event_id="e", aggregate_id="a", org_id=org_id, sequence=1, at=at, actor="system")
        await self.consumer.consume(USER_CHANGED, changed)


@pytest.mark.parametrize(
    ("age", "later", "org_id", "reads"),
    [
        (60.0, 0.0, "acme", 1),
        (60.0, 0.9, "acme", 1),
        (60.0, 1.0, "acme", 2),
        (60.0, -1.0, "acme", 2),
        (60.0, 0.0, "beta", 2),
        (5.0, 0.0, "acme", 2),
        (0.0, 0.0, "acme", 2),
    ],
    ids=["waiting", "within a second", "too late", "clock set back", "other", "other clock", "new"],
)
async def test_webhooks_serve_older_events_of_the_organization(
    age: float, later: float, org_id: str, reads: int
) -> None:
    """Webhooks that were read serve events of a time before that for a second; one created before its event is
    always among them.
    """
    world = World()
    await world.consume("acme", NOW)
    world.now += later
    await world.consume(org_id, NOW - age)

    assert len(world.reads) == reads
