"""A change that is broken off at any step leaves no version that is not that of the stored document (decision 0039)."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import pytest
from portico_contracts.users import GET_CLAIMS, GET_USER, GetClaims, GetUser
from portico_fakes.clock import FrozenClock
from portico_runtime.facts import keys
from portico_runtime.mongo import MongoClient

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
    """A service whose versions are watched."""
    return await new_replica(users_mongo, secrets.token_bytes, watched_versions(clock, users_mongo.database))


@pytest.fixture
async def watch(managed: Any) -> Watch:
    """What is to be changed, and who watches it."""
    await managed.furnish("owner", "iam")
    return Watch(managed)


async def traces(watch: Watch, collection: str, name: str) -> list[Any]:
    """An object as it is stored, its events, and what is to be published of it."""
    id = f"{name}-{watch.managed.tag}"
    rows = watch.managed.users.rows
    return [await rows(collection, _id=id), await rows("events", object=id), await rows("outbox", object=id)]


async def settled_text(watch: Watch, name: str = "self") -> str:
    """The text of a person after a question that found it."""
    user_id = watch.people[name]
    seen = await watch.versions.read(user_id)
    await watch.managed.users.call(GET_USER, GetUser(user_id=user_id, seen=seen))
    return await watch.versions.read(user_id)


async def set_known(watch: Watch) -> str:
    """Lets the version of the person be known; what it is."""
    version = await settled_text(watch)
    assert version == (await watch.start())[watch.people["self"]]
    return version


@pytest.mark.parametrize("step", ["begin", "begin after"])
@pytest.mark.parametrize(("operation", "collection", "name"), OPERATIONS)
async def test_without_its_mark_nothing_is_committed(
    watch: Watch, operation: str, collection: str, name: str, step: str
) -> None:
    """Where Redis takes no mark, or its answer is lost, the change is refused with 503 and leaves no trace (P2)."""
    before = await traces(watch, collection, name)
    watch.versions.failing = step
    refused = await watch.call(operation)
    after = await traces(watch, collection, name)

    assert refused.code == 14
    assert after == before
    watch.versions.failing = ""
    assert (await watch.call(operation)).code == 0
    assert await traces(watch, collection, name) != before


async def test_a_mark_whose_answer_is_lost_is_withdrawn(watch: Watch) -> None:
    """Nothing was committed, so that the next question settles the version that was right before."""
    version = await set_known(watch)
    watch.versions.failing = "begin after"
    await watch.call("v2.UserService.SetPhone")
    left = await watch.versions.read(watch.people["self"])

    assert left.startswith("?")
    assert await settled_text(watch) == version


@pytest.mark.parametrize("ended", [False, True])
async def test_a_change_that_ends_between_mark_and_commit(watch: Watch, clock: FrozenClock, ended: bool) -> None:
    """A caller who leaves takes the mark along, and of a process that ends it stays for two minutes."""
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


async def test_a_change_that_ends_between_commit_and_version(watch: Watch, clock: FrozenClock) -> None:
    """The change succeeds and is in force: the mark lets everybody ask, until a question settles the new version."""
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


async def test_a_refused_change_leaves_the_version(watch: Watch) -> None:
    """A transaction that fails before its marks, here for a name that is taken, costs no question."""
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
async def test_a_question_settles_what_it_found(watch: Watch, rpc: Any, found: str) -> None:
    """Where Redis has nothing, an unsettled text or a version of before, it has the document's after the question."""
    user_id = watch.people["self"]
    watch.versions.stored[keys.person(user_id)] = found
    answer = await watch.managed.users.call(rpc[0], rpc[1](user_id=user_id, seen=found))

    assert await watch.versions.read(user_id) == answer.user.version


@pytest.mark.parametrize("seen", [None, "right"])
async def test_a_question_that_found_nothing_wrong_writes_nothing(watch: Watch, seen: str | None) -> None:
    """Without a text, or with the right one, nothing is settled."""
    version = await set_known(watch)
    settlings = watch.versions.settlings
    await watch.managed.users.call(GET_USER, GetUser(user_id=watch.people["self"], seen=seen and version))

    assert watch.versions.settlings == settlings


async def test_a_question_is_answered_while_redis_is_away(watch: Watch) -> None:
    """The answer is right whether or not its version can be settled."""
    versions: WatchedVersions = watch.versions
    versions.broken = True
    answer = await watch.managed.users.call(GET_USER, GetUser(user_id=watch.people["self"], seen=""))

    assert answer.user is not None
