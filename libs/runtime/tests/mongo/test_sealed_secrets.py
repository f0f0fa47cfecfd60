"""Tests of the readiness by stored secrets that the master keys cannot decrypt (decision 0091)."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator

import pytest
from portico_fakes.clock import FrozenClock
from portico_harness.servers import RunningMongo
from portico_runtime.mongo.client import Database, MongoClient
from portico_runtime.mongo.schema_version import COLLECTION
from portico_runtime.mongo.sealed_secrets import ACCEPTED, SecretsCheck
from portico_runtime.process.health import NotReady
from portico_runtime.settings.sections.mongo import MongoSection

pytestmark = pytest.mark.servers

LOST = "PORTICO_MASTER_KEYS cannot decrypt 2 authenticator apps with master key old"


@pytest.fixture(name="database")
async def _database(mongo_server: RunningMongo) -> AsyncIterator[Database]:
    """Collections of the database of users with names of this test only."""
    mongo = MongoClient(mongo_server.section("users"), "users")
    names = ("totpSecrets", "idps", "webhooks", COLLECTION)
    for name in names:
        await mongo.database[name].delete_many({})
    yield mongo.database
    for name in names:
        await mongo.database[name].delete_many({})
    await mongo.close()


async def add_apps(database: Database, master: str, number: int = 1) -> None:
    rows = [{"_id": secrets.token_hex(4), "sealed": {"master": master}} for _ in range(number)]
    await database["totpSecrets"].insert_many(rows)


async def states(check: SecretsCheck) -> tuple[str, str]:
    """Returns why the service is not ready, and what is degraded."""
    try:
        await check.check()
    except NotReady as reason:
        return str(reason), check.degradation()
    return "", check.degradation()


async def test_secrets_decide_readiness(database: Database) -> None:
    """Without any readable secret the master keys are wrong; with one, or accepted, only some users are concerned."""

    async def seen() -> tuple[str, str]:
        return await states(SecretsCheck(database, "users", {"new", "newest"}))

    seen_first = await seen()
    await add_apps(database, "old", 2)
    none_readable = await seen()
    await database[COLLECTION].insert_one({"_id": ACCEPTED, "masters": ["older"]})
    other_accepted = await seen()
    await database[COLLECTION].update_one({"_id": ACCEPTED}, {"$set": {"masters": ["old", "older"]}})
    accepted = await seen()
    await database[COLLECTION].delete_many({})
    await add_apps(database, "new")
    some_readable = await seen()

    assert seen_first == ("", "")
    assert none_readable == other_accepted == (LOST, "")
    assert accepted == some_readable == ("", LOST)


async def test_good_state_is_looked_at_once(database: Database) -> None:
    """Master keys do not change while a process runs; a bad state is looked at again after a minute."""
    clock = FrozenClock(0)
    good = SecretsCheck(database, "users", {"new"}, clock.now)
    before = await states(good)
    await add_apps(database, "old", 2)
    bad = SecretsCheck(database, "users", {"new"}, clock.now)
    refused = await states(bad)
    clock.tick(59)
    await database["totpSecrets"].delete_many({})
    soon = await states(bad)
    clock.tick(1)

    assert (before, refused, soon) == (("", ""), (LOST, ""), (LOST, ""))
    assert await states(bad) == ("", "")
    await add_apps(database, "old")
    assert await states(good) == ("", "")


async def test_unavailable_database_is_not_reported_twice() -> None:
    settings = MongoSection(mongo_url="mongodb://127.0.0.1:1", mongo_timeout=0.2)
    mongo = MongoClient(settings, "users")

    assert await states(SecretsCheck(mongo.database, "users", set())) == ("", "")
    await mongo.close()
