"""Starting users on real servers, as configured."""

from __future__ import annotations

import pytest
from portico_contracts.users.redis_watermarks import RECALL_MARKS, RecallWatermarks
from portico_harness.newer_release import waiting_for_a_newer_release
from portico_harness.servers import RunningMongo, RunningNats
from portico_oauth.errors import ServiceError
from portico_runtime.mongo.client import MongoClient
from portico_runtime.process.health import Health
from portico_users.app import create_app
from portico_users.settings import Settings
from starlette.types import ASGIApp

pytestmark = pytest.mark.servers


@pytest.fixture(name="users")
def _users(mongo_server: RunningMongo, nats_server: RunningNats) -> tuple[ASGIApp, Health]:
    sections = {**mongo_server.section("users").model_dump(), **nats_server.section("users").model_dump()}
    return create_app(Settings.model_validate({**sections, "argon2_memory_kib": 8, "argon2_passes": 1}))


async def test_readiness_compares_the_clock(users: tuple[ASGIApp, Health]) -> None:
    """Readiness includes the clock's difference from MongoDB's, in addition to the database check (FD-14)."""
    _app, health = users
    state = await health.state()

    assert (state["mongo"], state["clock"]) == ("ok", "ok")


async def test_readiness_covers_stored_secrets(users: tuple[ASGIApp, Health], mongo_server: RunningMongo) -> None:
    """A service without the master keys of its stored secrets is not ready, and names the missing key."""
    _app, health = users
    mongo = MongoClient(mongo_server.section("users"), "users")
    await mongo.database["totpSecrets"].insert_one({"_id": "ada", "sealed": {"master": "0a0b0c"}})
    state = await health.state()
    await mongo.database["totpSecrets"].delete_one({"_id": "ada"})
    await mongo.close()

    assert "1 authenticator app with master key 0a0b0c" in state["master-keys"]
    assert state["secrets"] == "ok"


async def test_newer_schema_version_stops_the_service(
    users: tuple[ASGIApp, Health], mongo_server: RunningMongo, nats_server: RunningNats
) -> None:
    """A release that cannot read the stored records responds to nothing and writes nothing until it can
    (decision 0073).
    """
    mongo, bus = MongoClient(mongo_server.section("users"), "users"), nats_server.bus("token")
    await bus.start()
    names = set(await mongo.database.list_collection_names())
    async with waiting_for_a_newer_release(*users, mongo.database, "users"):
        with pytest.raises(ServiceError):
            await bus.call(RECALL_MARKS, RecallWatermarks(service="token"))
        assert set(await mongo.database.list_collection_names()) <= names | {"schema"}
    await bus.close()
    await mongo.close()
