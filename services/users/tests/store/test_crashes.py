"""MongoDB crashes or elects another primary in the middle of a transaction."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from signal import SIGKILL
from typing import Any, Final

import pytest
from portico_contracts.users import IMPORT_USERS, Applied, ImportUsers
from portico_harness.eventually import eventually
from portico_harness.servers import RunningMongo, running_mongo
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import MongoClient
from pymongo import MongoClient as AdminClient
from pymongo.errors import AutoReconnect

pytestmark = [pytest.mark.servers, pytest.mark.long]

OBJECTS: Final = ("orgs", "projects", "apps", "users")

Replica = Callable[[MongoClient, RandomBytes], Awaitable[Any]]


class Trap:
    """A source of randomness that runs a function at its n-th call.

    The journal generates an event id between writing an object and committing it; a document with all ids and
    secrets needs no other random values.
    """

    def __init__(self) -> None:
        self.spring: Callable[[], None] = lambda: None
        self.calls_left = 0

    def set(self, call: int, spring: Callable[[], None]) -> None:
        self.calls_left, self.spring = call, spring

    def __call__(self, size: int) -> bytes:
        self.calls_left -= 1
        if self.calls_left == 0:
            self.spring()
        return secrets.token_bytes(size)


@pytest.fixture(scope="module")
def mortal_mongo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningMongo]:
    with running_mongo(tmp_path_factory.mktemp("mortal")) as server:
        yield server


@pytest.fixture
async def trapped_world(mortal_mongo: RunningMongo, new_replica: Replica) -> AsyncIterator[Any]:
    client = MongoClient(mortal_mongo.section("users", timeout=3.0), "users")
    yield await new_replica(client, Trap())
    await client.close()


def full_document(world: Any) -> dict[str, Any]:
    """A document with all ids and secrets."""
    tag = world.tag
    app = world.app(id=f"shop-{tag}", clientSecret="the secret of the shop")
    robot = world.robot(secret="the secret of the robot", keys=[world.key(id=f"key-{tag}")])
    project = {"id": f"web-{tag}", "name": "web", "oidcApps": [app]}
    return {"id": f"org-{tag}", "name": f"Acme {tag}", "projects": [project], "serviceUsers": [robot]}


async def half_written(world: Any) -> set[str]:
    """Returns objects without their event, outbox row or id, and vice versa; must be empty."""
    objects = {row["_id"] for collection in OBJECTS for row in await world.rows(collection)}
    traces = [{row["object"] for row in await world.rows(collection)} for collection in ("events", "ids")]
    bodies = [json.loads(row["body"]) for row in await world.rows("outbox")]
    changed = {one["aggregate_id"] for body in bodies for one in body.get("changes", [body])}
    return set().union(*(objects ^ trace for trace in (*traces, changed)))


async def applied_at_last(world: Any, document: dict[str, Any]) -> Applied:
    """Retries until the database is available again."""

    async def attempt() -> Applied | None:
        try:
            return await world.apply(document)  # type: ignore[no-any-return]
        except ServiceError as error:
            if error.kind is not Kind.UNAVAILABLE:
                raise
            return None

    done = await eventually(attempt, lambda applied: applied is not None)
    assert done is not None
    return done


@pytest.mark.parametrize("call", [1, 4], ids=["organization", "service user with a key"])
async def test_crash_in_a_transaction_leaves_nothing_half_written(
    mortal_mongo: RunningMongo, trapped_world: Any, call: int
) -> None:
    """After a crash between object and event both or neither exist; a repetition completes them (FD-05)."""
    world, trap = trapped_world, trapped_world.parts.random
    document = full_document(world)
    trap.set(call, lambda: mortal_mongo._process.send(SIGKILL))
    await applied_at_last(world, document)
    again = await world.apply(document)
    events = await world.rows("events", orgId=f"org-{world.tag}")

    assert trap.calls_left < 0
    assert await half_written(world) == set()
    assert [change.action for change in again.changes] == ["unchanged"] * 4
    assert sorted(event["object"] for event in events) == sorted(change.id for change in again.changes)
    assert {event["sequence"] for event in events} == {1}
    assert [row["object"] for row in await world.rows("ids", _id=f"key-{world.tag}")] == [f"robot-{world.tag}"]


async def test_crash_during_an_import_leaves_complete_rows(mortal_mongo: RunningMongo, trapped_world: Any) -> None:
    """Each row of an import is stored completely or not at all (FD-05)."""
    world = trapped_world
    await world.home()
    rows = tuple(
        json.dumps(
            {
                "username": f"u{number}-{world.tag}",
                "profile": {"firstName": "Ada", "lastName": "Byron"},
                "email": {"email": world.mail(f"u{number}")},
                "hashedPassword": {"hash": "$2b$12$" + "a" * 53},
            }
        )
        for number in range(300)
    )
    message = ImportUsers(rows=rows, org_id=world.org_id)
    importing = asyncio.create_task(world.call(IMPORT_USERS, message))
    await eventually(lambda: world.rows("users", orgId=world.org_id), bool)
    mortal_mongo._process.send(SIGKILL)
    first = await importing
    again = await eventually(
        lambda: world.call(IMPORT_USERS, message), lambda done: not any(row.retry for row in done.rows)
    )
    passwords = {row["_id"] for row in await world.rows("passwords")}

    assert {row.status for row in first.rows} <= {"created", "refused"}
    assert {row.status for row in again.rows} <= {"created", "exists"}
    assert {row.status for row, later in zip(first.rows, again.rows, strict=True) if later.status == "created"} <= {
        "refused"
    }
    assert await half_written(world) == set()
    assert {row["_id"] for row in await world.rows("users", orgId=world.org_id)} <= passwords
    assert len({row.user_id for row in again.rows}) == 300


async def test_change_of_the_primary_is_retried(mortal_mongo: RunningMongo, trapped_world: Any) -> None:
    """If the primary steps down in a transaction, it is retried without the caller noticing."""
    world, trap = trapped_world, trapped_world.parts.random
    trap.set(2, lambda: step_down(mortal_mongo))
    applied = await world.apply(full_document(world))
    events = await world.rows("events", orgId=f"org-{world.tag}")

    assert trap.calls_left < 0
    assert [change.action for change in applied.changes] == ["created"] * 4
    assert await half_written(world) == set()
    assert [event["sequence"] for event in events] == [1] * 4


def step_down(server: RunningMongo) -> None:
    """Makes the primary step down for a second, aborting all transactions."""
    with (
        AdminClient[dict[str, Any]](server.url, username="operator", password=server.password("operator")) as admin,
        suppress(AutoReconnect),  # it closes this connection as well
    ):
        admin.admin.command("replSetStepDown", 1, secondaryCatchUpPeriodSecs=0, force=True)
