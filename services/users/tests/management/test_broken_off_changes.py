"""An interrupted change leaves no cached version other than that of the stored document (decision 0039)."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import pytest
from portico_contracts.users import GET_CLAIMS, GET_USER, GetClaims, GetUser
from portico_fakes.clock import FrozenClock
from portico_runtime.mongo.client import MongoClient
from portico_runtime.versioned_cache import keys

from .watched_versions import Watch, WatchedVersions, watched_versions

pytestmark = pytest.mark.servers

OPERATIONS = (
    ("v2.UserService.SetPhone", "users", "self"),
    ("v2.UserService.LockUser", "users", "bot-owner"),
    ("v1.UserGrantService.AddUserGrant", "users", "robot"),
    ("v1.ProjectService.RemoveProject", "users", "bot-owner"),
    ("v1.ProjectService.RemoveProject", "projects", "p-owner"),
    ("v1.AppService.UpdateApp", "apps", "app-owner"),
    ("v1.OrganizationService.UpdateOrg", "orgs", "org"),
)
"""Operations, and an object that each of them changes."""


@pytest.fixture
async def users_world(new_replica: Any, users_mongo: MongoClient, clock: FrozenClock) -> Any:
    return await new_replica(users_mongo, secrets.token_bytes, watched_versions(clock, users_mongo.database))


@pytest.fixture
async def watch(managed: Any) -> Watch:
    await managed.furnish("owner", "iam")
    return Watch(managed)


async def traces(watch: Watch, collection: str, name: str) -> list[Any]:
    id = f"{name}-{watch.managed.tag}"
    rows = watch.managed.users.rows
    return [await rows(collection, _id=id), await rows("events", object=id), await rows("outbox", object=id)]


async def settled_text(watch: Watch, name: str = "self") -> str:
    user_id = watch.people[name]
    seen = await watch.versions.read(user_id)
    await watch.managed.users.call(GET_USER, GetUser(user_id=user_id, seen=seen))
    return await watch.versions.read(user_id)


async def set_known(watch: Watch) -> str:
    version = await settled_text(watch)
    assert version == (await watch.start())[watch.people["self"]]
    return version


@pytest.mark.parametrize("step", ["begin", "begin after"])
@pytest.mark.parametrize(("operation", "collection", "name"), OPERATIONS)
async def test_change_without_redis_mark_is_not_committed(
    watch: Watch, operation: str, collection: str, name: str, step: str
) -> None:
    """If Redis refuses the mark or its reply is lost, the change gets 503 and nothing is stored (P2)."""
    before = await traces(watch, collection, name)
    watch.versions.failing = step
    refused = await watch.call(operation)
    after = await traces(watch, collection, name)

    assert refused.code == 14
    assert after == before
    watch.versions.failing = ""
    assert (await watch.call(operation)).code == 0
    assert await traces(watch, collection, name) != before


async def test_mark_with_lost_reply_is_withdrawn(watch: Watch) -> None:
    """Nothing was committed, so the next query restores the version that was correct before."""
    version = await set_known(watch)
    watch.versions.failing = "begin after"
    await watch.call("v2.UserService.SetPhone")
    left = await watch.versions.read(watch.people["self"])

    assert left.startswith("?")
    assert await settled_text(watch) == version


@pytest.mark.parametrize("ended", [False, True])
async def test_change_interrupted_before_the_commit(watch: Watch, clock: FrozenClock, ended: bool) -> None:
    """A cancelled call removes its mark; the mark of a process that ended stays for two minutes."""
    version = await set_known(watch)
    watch.versions.failing = "begin never returns"
    changing = asyncio.create_task(watch.call("v2.UserService.SetPhone"))
    await watch.versions.reached.wait()
    watch.versions.failing = "finish" if ended else ""
    changing.cancel()
    await asyncio.gather(changing, return_exceptions=True)
    left = await watch.versions.read(watch.people["self"])
    at_once = await settled_text(watch)
    clock.tick(120)

    assert left[0] == ("~" if ended else "?")
    assert at_once == (left if ended else version)
    assert await settled_text(watch) == version
    assert (await watch.versions.stored_versions())[watch.people["self"]] == version


async def test_change_interrupted_after_the_commit(watch: Watch, clock: FrozenClock) -> None:
    """The change takes effect: the mark makes all readers query users until a query sets the new version."""
    version = await set_known(watch)
    watch.versions.failing = "finish"
    answer = await watch.call("v2.UserService.SetPhone")
    stored = (await watch.versions.stored_versions())[watch.people["self"]]
    during = await settled_text(watch)
    clock.tick(120)

    assert answer.code == 0
    assert stored != version
    assert during.startswith("~")
    assert await settled_text(watch) == stored


async def test_refused_change_keeps_the_version(watch: Watch) -> None:
    """A transaction that fails before its marks, such as for a taken name, invalidates no cache."""
    version = await set_known(watch)
    name = f"owner-{watch.managed.tag}"
    refused = await watch.managed.api.json(
        "portico.management.v1.UserService.UpdateUserName",
        {"userName": name},
        token=watch.managed.tokens["owner"],
        path=f"/management/v1/users/{watch.people['self']}/username",
    )

    assert refused.code == 6
    assert watch.versions.marked == []
    assert await watch.versions.read(watch.people["self"]) == version


@pytest.mark.parametrize("rpc", [(GET_USER, GetUser), (GET_CLAIMS, GetClaims)], ids=["user", "claims"])
@pytest.mark.parametrize("found", ["", "?0badc0de", "an older one"])
async def test_query_sets_the_version_it_found(watch: Watch, rpc: Any, found: str) -> None:
    """A missing, unsettled or outdated version in Redis is replaced by the document's version after a query."""
    user_id = watch.people["self"]
    watch.versions.stored[keys.user(user_id)] = found
    answer = await watch.managed.users.call(rpc[0], rpc[1](user_id=user_id, seen=found))

    assert await watch.versions.read(user_id) == answer.user.version


@pytest.mark.parametrize("seen", [None, "right"])
async def test_query_with_correct_version_writes_nothing(watch: Watch, seen: str | None) -> None:
    """A query without a version, or with the correct one, writes nothing to Redis."""
    version = await set_known(watch)
    settlings = watch.versions.settlings
    await watch.managed.users.call(GET_USER, GetUser(user_id=watch.people["self"], seen=seen and version))

    assert watch.versions.settlings == settlings


async def test_query_is_answered_while_redis_is_unavailable(watch: Watch) -> None:
    """The response is correct whether or not the version can be set."""
    versions: WatchedVersions = watch.versions
    versions.broken = True
    answer = await watch.managed.users.call(GET_USER, GetUser(user_id=watch.people["self"], seen=""))

    assert answer.user is not None
