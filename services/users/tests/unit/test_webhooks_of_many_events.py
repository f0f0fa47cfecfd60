"""Webhooks are read once for many events that wait, and targets get users who were created together."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import pytest
from portico_contracts.events import USER_CHANGED, USERS_CREATED, Changed, CreatedTogether
from portico_users.scim_targets.target_changes import TargetChanges
from portico_users.values.names import INSTANCE
from portico_users.webhooks.event_consumer import EventConsumer
from portico_users.webhooks.webhook import Webhook

NOW = 1_000_000.0


def created(user_id: str, org_id: str, at: float = NOW) -> Changed:
    return Changed(
        event_id=f"event of {user_id}",
        aggregate_id=user_id,
        org_id=org_id,
        sequence=1,
        at=at,
        actor="system",
        action="created",
    )


def together(*changes: Changed) -> CreatedTogether:
    return CreatedTogether(event_id="together", at=NOW, changes=changes)


class World:
    def __init__(self) -> None:
        self.now = NOW
        self.reads: list[str] = []
        self.webhooks: dict[str, list[Webhook]] = {}
        self.delivered: list[tuple[str, str, str, str]] = []
        self.woken: list[str] = []
        self.consumer = EventConsumer(
            bus=SimpleNamespace(),
            webhooks=SimpleNamespace(list_receiving=self.list_receiving),  # type: ignore[arg-type]
            orgs=SimpleNamespace(),  # type: ignore[arg-type]
            deliveries=SimpleNamespace(put=self.put),  # type: ignore[arg-type]
            queues=SimpleNamespace(wake=self.wake),  # type: ignore[arg-type]
            clock=SimpleNamespace(now=lambda: self.now),
            tables={USER_CHANGED.subject: "users"},
        )

    async def list_receiving(self, org_id: str, _limit: int) -> list[Any]:
        self.reads.append(org_id)
        return self.webhooks.get(org_id, [])

    async def put(self, deliveries: list[Any]) -> None:
        self.delivered += [(one.webhook_id, one.event_id, one.type, one.object) for one in deliveries]

    async def wake(self, webhook_ids: Any) -> None:
        self.woken += webhook_ids

    async def consume(self, org_id: str, at: float) -> None:
        await self.consumer.consume(USER_CHANGED, created("a", org_id, at))


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


async def test_users_created_together_are_delivered_one_by_one() -> None:
    """A webhook gets each user with the event of the user, and nothing of another organization (MG-01)."""
    world = World()
    world.webhooks["acme"] = [Webhook(id="hook", org_id=INSTANCE, name="h", url="", event_types=("user.created",))]
    changes = (created("ada", "acme"), created("eve", "beta"), created("alan", "acme"))
    await world.consumer.consume(USERS_CREATED, together(*changes))

    assert world.delivered == [
        ("hook", "event of ada", "user.created", "ada"),
        ("hook", "event of alan", "user.created", "alan"),
    ]
    assert (world.reads, world.woken) == (["acme", "beta"], ["hook"])


async def test_users_created_together_are_due_at_targets() -> None:
    """All new users of an organization are marked at its targets; one without targets has none marked."""
    marked: list[tuple[list[str], list[str]]] = []
    woken: list[str] = []

    async def organizations() -> frozenset[str]:
        return frozenset({"acme"})

    async def active_in(org_id: str) -> list[Any]:
        return [SimpleNamespace(id=f"target of {org_id}")]

    async def mark(targets: list[str], users: list[str]) -> None:
        marked.append((targets, users))

    async def wake(targets: list[str]) -> None:
        woken.extend(targets)

    targets = TargetChanges(
        targets=SimpleNamespace(list_organizations=organizations, list_active_in=active_in),  # type: ignore[arg-type]
        people=SimpleNamespace(mark=mark),  # type: ignore[arg-type]
        runs=SimpleNamespace(),  # type: ignore[arg-type]
        queues=SimpleNamespace(wake=wake),  # type: ignore[arg-type]
        clock=SimpleNamespace(now=lambda: NOW),
    )
    world = World()
    consumer = dataclasses.replace(world.consumer, also=targets.consume)
    changes = (created("ada", "acme"), created("eve", "beta"), created("alan", "acme"))
    await consumer.consume(USERS_CREATED, together(*changes))

    assert marked == [(["target of acme"], ["ada", "alan"])]
    assert woken == ["target of acme"]
