"""The scripts and the bare application, together, with the real wrk and a real Redis."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from portico_harness.eventually import HANGS

from bench.limit_target import limit_running
from bench.measuring import Measuring
from bench.operations import OPERATIONS, named
from bench.relying_party import RelyingParty, discover
from bench.wrk import Drive, Plan, run, write_plan

pytestmark = [pytest.mark.servers, pytest.mark.long]


@pytest.fixture(scope="module")
async def limit(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RelyingParty]:
    async with (
        limit_running(tmp_path_factory.mktemp("limit")) as target,
        httpx.AsyncClient(trust_env=False, timeout=HANGS) as http,
    ):
        yield await discover(target, http)


async def test_every_operation_is_driven_without_an_error(limit: RelyingParty, tmp_path: Path) -> None:
    """The run before the first measurement ends when each user was asked about; rotated tokens go on to the next."""
    issued = {member.refresh_token for member in await limit.members_with_refresh_tokens(100)}
    measuring = Measuring([limit], 1, tmp_path)
    operations = [operation for operation in OPERATIONS if not operation.compared]

    await measuring.round(operations)

    rows = {place.operation: row for place, row in measuring.rows.items()}
    assert list(rows) == [operation.name for operation in operations]
    for row in rows.values():
        assert (row.not_served, row.failures()) == ("", [])
        assert row.samples[0].load.p99_us >= row.samples[0].load.p50_us > 0
        assert set(row.cpu_us()) == {"limit", "redis", "mongo"}
        assert row.total_cpu_us()
    first = rows["userinfo"].first
    assert first
    assert 0 < first.load.requests < rows["userinfo"].samples[0].load.requests
    await measuring.part_load(named("userinfo,refresh"))
    for operation in ("userinfo", "refresh"):
        assert rows[operation].part_load
        assert rows[operation].failures() == []
    assert not issued & {member.refresh_token for member in limit.target.accounts.members}


async def test_wrong_answers_are_counted_and_shown(limit: RelyingParty, tmp_path: Path) -> None:
    request: Plan = {"method": "GET", "path": "/oidc/v1/userinfo", "headers": {"Authorization": "Bearer wrong"}}
    plan = write_plan(tmp_path / "plan.lua", {"requests": [request], "values": [""], "status": 200, "needles": ["sub"]})

    load = await run(limit.target.issuer, "rotate", plan, Drive(1, 2))

    assert load.errors["status"] == load.errors["answer"] > 0
    assert 'request: 401 {"error":"invalid_token"' in load.problem()
