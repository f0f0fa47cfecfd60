"""Indexes of large collections, which take longer to build than any other operation may."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from portico_harness.servers import RunningMongo, running_mongo
from portico_runtime.mongo.client import MongoClient
from portico_runtime.process.health import NotReady
from portico_users.storage.schema import Schema
from pymongo import IndexModel

pytestmark = pytest.mark.servers

ROWS = 80_000
"""Their index takes several times `LIMIT`."""

LIMIT = 0.1


@pytest.fixture(scope="module")
def own_mongo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningMongo]:
    with running_mongo(tmp_path_factory.mktemp("mongo")) as server:
        yield server


async def test_index_may_take_longer_than_a_request(own_mongo: RunningMongo) -> None:
    """A release with a new index becomes ready, however many records there are."""
    filler = MongoClient(own_mongo.section("users"), "users")
    await filler.database["many"].insert_many([{"name": f"name {number % 977}"} for number in range(ROWS)])
    mongo = MongoClient(own_mongo.section("users", timeout=LIMIT), "users")
    schema = Schema(mongo.database, [{"many": tuple(IndexModel([("name", 1), ("_id", at)]) for at in (1, -1))}])
    with pytest.raises(NotReady):
        await schema.check()
    creating = asyncio.create_task(schema.create())
    waiting = asyncio.create_task(schema.wait())
    await asyncio.wait([creating, waiting], return_when=asyncio.FIRST_COMPLETED)
    await schema.check()
    creating.cancel()
    await mongo.close()
    names = set(await filler.database["many"].index_information())
    await filler.close()

    assert names == {"_id_", "name_1__id_1", "name_1__id_-1"}
