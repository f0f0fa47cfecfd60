from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

import msgspec
import pytest
from portico_contracts.events import USER_CHANGED, USERS_CREATED, Changed
from portico_contracts.users import IMPORT_USERS, ImportUsers
from portico_harness.eventually import eventually
from portico_oauth.errors import UNAVAILABLE, ServiceError
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.store import HUMANS
from portico_users.journal.changed_versions import ChangedVersions
from portico_users.journal.journal import Journal
from portico_users.journal.outbox import LEASE_SECONDS, Relay
from portico_users.organizations.org import ORGS, MongoOrgs
from portico_users.storage.entry import Entry

pytestmark = pytest.mark.servers


def changes_of(world: Any, id: str) -> list[Changed]:
    return [body for _, body in world.bus.published if body.aggregate_id == id]


async def carry_all(world: Any) -> None:
    while await world.service.find(Relay).publish_batch():
        pass


@pytest.fixture(autouse=True)
async def nothing_waits(users_world: Any) -> None:
    database = users_world.parts.mongo.database
    await database["outbox"].delete_many({})
    await database["leases"].delete_many({})


async def test_every_change_is_published_once_in_order(users_world: Any, other_replica: Any) -> None:
    """Two replicas together publish each event once, numbered without gaps; then the outbox is empty."""
    applied = await users_world.apply()
    for number in range(3):
        human = users_world.human(profile={"firstName": f"Alice {number}", "lastName": "Adams"})
        await users_world.apply(users_world.organization(humans=[human]))
    await carry_all(users_world)
    await carry_all(other_replica)
    said = changes_of(users_world, applied.changes[3].id)
    ids = Counter(body.event_id for _, body in users_world.bus.published)

    assert [body.sequence for body in said] == [1, 2, 3, 4]
    assert said[1].fields == ("firstName", "displayName")
    assert set(ids.values()) == {1}
    assert other_replica.bus.published == []
    assert await users_world.rows("outbox") == []


async def import_and_change(world: Any) -> list[str]:
    """Creates two users in one transaction, and changes them; returns their ids."""
    names = [f"{name}-{world.tag}" for name in ("ada", "alan")]
    profile = {"firstName": "Ada", "lastName": "Byron"}
    rows = [{"userId": one, "username": one, "profile": profile, "email": {"email": world.mail(one)}} for one in names]
    await world.call(IMPORT_USERS, ImportUsers(rows=tuple(map(json.dumps, rows)), org_id=world.org_id))
    accounts = MongoAccounts(world.parts.mongo.database)
    for name in names:
        human = await accounts.find(name)
        assert isinstance(human, EndUser)
        await world.service.find(Journal).commit(
            [Entry(HUMANS, human, msgspec.structs.replace(human, nick_name="Countess"))]
        )
    return names


async def test_users_created_together_are_published_at_once(users_world: Any) -> None:
    """One event has the first change of each user of a transaction; their later changes follow it."""
    await users_world.home()
    await carry_all(users_world)
    users_world.bus.published.clear()
    names = await import_and_change(users_world)
    await carry_all(users_world)
    (subject, body), *later = users_world.bus.published

    assert subject == USERS_CREATED.subject
    assert [(one.aggregate_id, one.sequence, one.action) for one in body.changes] == [(n, 1, "created") for n in names]
    assert body.at <= min(one.at for one in body.changes)
    assert {(subject, one.aggregate_id, one.sequence) for subject, one in later} == {
        (USER_CHANGED.subject, name, 2) for name in names
    }


async def test_change_never_overtakes_the_creation_with_others(
    users_world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the event of users created together cannot be published, their later changes wait, and others do not."""
    await users_world.home()
    await carry_all(users_world)
    users_world.bus.published.clear()
    publish = users_world.bus.publish

    async def refuse_creations(event: Any, body: Any, *, event_id: str) -> None:
        if event is USERS_CREATED:
            raise UNAVAILABLE.error()
        await publish(event, body, event_id=event_id)

    await import_and_change(users_world)
    applied = await users_world.apply({"id": f"other-{users_world.tag}", "name": f"Other {users_world.tag}"})
    monkeypatch.setattr(users_world.bus, "publish", refuse_creations)
    with pytest.raises(ServiceError):
        await users_world.service.find(Relay).publish_batch()

    published = {body.aggregate_id for _, body in users_world.bus.published}
    assert published == {change.id for change in applied.changes if change.action == "created"}


async def test_events_of_a_newer_release_do_not_keep_the_lease(users_world: Any) -> None:
    """An older replica, which does not know them, would renew its lease as long as they wait, so for ever."""
    await users_world.home()
    await carry_all(users_world)
    users_world.bus.published.clear()
    await import_and_change(users_world)
    database, clock = users_world.parts.mongo.database, users_world.clock
    older = Relay(database, users_world.bus, clock, [USER_CHANGED], replica="older")
    clock.tick(LEASE_SECONDS)
    published = await older.publish_batch()
    clock.tick(LEASE_SECONDS)
    await older.publish_batch()
    await carry_all(users_world)

    assert published == 2
    assert [subject for subject, _ in users_world.bus.published][2:] == [USERS_CREATED.subject]
    assert await users_world.rows("outbox") == []


async def test_events_wait_while_the_bus_is_down(users_world: Any) -> None:
    """While the bus is down the change is committed, and published later (FD-05)."""
    applied = await users_world.apply()
    users_world.bus.down = True
    with pytest.raises(ServiceError):
        await users_world.service.find(Relay).publish_batch()
    kept = len(await users_world.rows("outbox"))
    users_world.bus.down = False
    await carry_all(users_world)

    assert kept == 4
    assert [body.sequence for body in changes_of(users_world, applied.changes[0].id)] == [1]


async def test_failed_replica_is_replaced(users_world: Any, other_replica: Any) -> None:
    """While one replica holds the lease the other waits; after its expiry the other continues."""
    await users_world.apply()
    await carry_all(users_world)
    human = users_world.human(profile={"firstName": "Al", "lastName": "Adams"})
    applied = await users_world.apply(users_world.organization(humans=[human]))
    quiet = await other_replica.service.find(Relay).publish_batch()
    users_world.clock.tick(LEASE_SECONDS)
    await carry_all(other_replica)

    assert quiet == 0
    assert [body.sequence for body in changes_of(other_replica, applied.changes[3].id)] == [2]


async def test_stopped_replica_releases_the_lease(users_world: Any, other_replica: Any) -> None:
    """After an orderly shutdown another replica need not wait."""
    await users_world.apply()
    await carry_all(users_world)
    await users_world.service.find(Relay).close()
    human = users_world.human(profile={"firstName": "Al", "lastName": "Adams"})
    await users_world.apply(users_world.organization(humans=[human]))

    assert await other_replica.service.find(Relay).publish_batch() == 1


async def test_nothing_is_published_before_commit(users_world: Any, other_replica: Any) -> None:
    """A change in an open or failed transaction is never published (FD-05)."""
    applied = await users_world.apply()
    await carry_all(users_world)
    org = await MongoOrgs(users_world.parts.mongo.database).find(applied.changes[0].id)
    assert org is not None
    said: list[int] = []

    async def look_and_fail(_session: Any) -> None:
        said.append(await users_world.service.find(Relay).publish_batch())
        raise ZeroDivisionError

    after = msgspec.structs.replace(org, name=f"Renamed {users_world.tag}")
    domain = f"new-{users_world.tag}.example"
    new = msgspec.structs.replace(org, id=f"new-{users_world.tag}", name=domain, primary_domain=domain, domains=())
    entries = [Entry(ORGS, org, after), Entry(ORGS, None, new, side_writes=(look_and_fail,))]
    with pytest.raises(ZeroDivisionError):
        await users_world.service.find(Journal).commit(entries)
    said.append(await users_world.service.find(Relay).publish_batch())

    assert said == [0, 0]
    assert [body.sequence for body in changes_of(users_world, org.id)] == [1]


async def test_events_of_any_replica_are_published_while_one_has_the_lease(
    users_world: Any, other_replica: Any
) -> None:
    """A commit wakes its own replica only, so the one with the lease keeps looking for those of others."""
    relays = [world.service.find(Relay) for world in (users_world, other_replica)]

    async def work(relay: Relay) -> None:
        while True:
            await relay.run_once()

    working = [asyncio.create_task(work(relay)) for relay in relays]
    try:
        for world in (users_world, other_replica):  # the clock is frozen, so the lease of the first never expires
            await world.apply(world.organization(id=f"org-{world.tag}-{relays.index(world.service.find(Relay))}"))
            await eventually(lambda: users_world.rows("outbox"), lambda rows: rows == [])
    finally:
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)


async def test_commit_is_announced_whatever_becomes_of_the_call(
    users_world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If cached versions cannot be set after a commit, its events still need no sweep."""
    calls: list[str] = []
    monkeypatch.setattr(users_world.service.find(Relay), "committed", lambda: calls.append("committed"))

    async def fail(*_: Any, **__: Any) -> None:
        raise ConnectionError

    monkeypatch.setattr(ChangedVersions, "set", fail)
    with pytest.raises(Exception):  # noqa: B017, PT011 - of whatever kind
        await users_world.apply()

    assert calls
