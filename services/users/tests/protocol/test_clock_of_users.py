"""users compares its clock with MongoDB's."""

from __future__ import annotations

import pytest
from portico_harness.servers import RunningMongo, RunningNats
from portico_users.app import create_app
from portico_users.settings import Settings

pytestmark = pytest.mark.servers


async def test_readiness_asks_how_far_the_clock_is_off(mongo_server: RunningMongo, nats_server: RunningNats) -> None:
    """The service over the real servers has the check beside that of its database (FD-14)."""
    sections = {**mongo_server.section("users").model_dump(), **nats_server.section("users").model_dump()}
    _, health = create_app(Settings.model_validate({**sections, "argon2_memory_kib": 8, "argon2_passes": 1}))
    state = await health.state()

    assert (state["mongo"], state["clock"]) == ("ok", "ok")
