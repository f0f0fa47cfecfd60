"""The scripts and the bare application, together, with the real wrk and a real Redis."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from bench.limit_target import limit_running
from bench.measuring import Measuring
from bench.operations import OPERATIONS
from bench.preparing import Ground, discover
from bench.wrk import Course, Drive, run

pytestmark = pytest.mark.servers
CONNECTIONS = 4


@pytest.fixture(scope="module")
async def ground(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Ground]:
    """The bare application, discovered."""
    async with (
        limit_running(tmp_path_factory.mktemp("limit"), CONNECTIONS) as limit,
        httpx.AsyncClient(trust_env=False, timeout=30) as http,
    ):
        yield await discover(limit.target, http, CONNECTIONS)


@pytest.mark.parametrize("name", ["userinfo", "introspect JWT", "refresh", "code flow", "sign-in"])
async def test_scripts_drive_the_limit_without_an_error(ground: Ground, tmp_path: Path, name: str) -> None:
    """Rotation, chains, redirects and forms work against the bare application, and its CPU time is found."""
    operations = [operation for operation in OPERATIONS if operation.name == name]
    measuring = Measuring([ground], Drive(seconds=1, connections=CONNECTIONS), tmp_path, print)

    await measuring.round(operations)

    row = measuring.rows()[0]
    assert row.failures() == []
    assert row.samples[0].load.operations > 0
    assert row.samples[0].load.p99_us >= row.samples[0].load.p50_us > 0
    assert (row.total_cpu_us() or 0) > 0


async def test_wrong_answers_are_counted_and_shown(ground: Ground, tmp_path: Path) -> None:
    """A refused request is an error of the run, with the first answer to look at."""
    operation = next(operation for operation in OPERATIONS if operation.name == "userinfo")
    prepared = await operation.prepare(ground)
    plan = tmp_path / "plan.lua"
    plan.write_text(
        'return {requests = {{method = "GET", path = "/oidc/v1/userinfo", '
        'headers = {Authorization = "Bearer wrong"}}}, status = 200, needles = {"sub"}}'
    )

    load = await run(Course(ground.target.issuer, prepared.script, plan), Drive(seconds=1, connections=2))

    assert load.errors.status == load.errors.answer > 0
    assert load.first_bad.startswith('request: 401 {"error":"invalid_token"')
