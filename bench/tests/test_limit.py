"""The scripts and the bare application, together, with the real wrk and a real Redis."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from portico_harness.eventually import HANGS

from bench.limit_target import limit_running
from bench.measuring import Case, Measuring
from bench.operation import Prepared
from bench.operations import OPERATIONS
from bench.preparing import Ground, discover
from bench.wrk import Course, Drive, run

pytestmark = [pytest.mark.servers, pytest.mark.long]
CONNECTIONS = 4


@pytest.fixture(scope="module")
async def ground(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Ground]:
    """The bare application, discovered."""
    async with (
        limit_running(tmp_path_factory.mktemp("limit"), 2 * CONNECTIONS) as limit,
        httpx.AsyncClient(trust_env=False, timeout=HANGS) as http,
    ):
        yield await discover(limit.target, http, 2 * CONNECTIONS)


@pytest.mark.parametrize(
    "name",
    ["userinfo", "introspect JWT", "refresh", "code flow", "sign-in", "create user", "list users", "import users"],
)
async def test_scripts_drive_the_limit_without_an_error(ground: Ground, tmp_path: Path, name: str) -> None:
    """Rotation, chains, redirects, forms and imports work against the bare application, and its CPU time is found."""
    operations = [operation for operation in OPERATIONS if operation.name == name]
    measuring = Measuring([Case(ground, [8])], Drive(seconds=1, connections=CONNECTIONS), tmp_path, print)

    await measuring.round(operations)

    row = measuring.rows()[0]
    assert row.failures() == []
    assert row.samples[0].load.operations > 0
    assert row.samples[0].load.p99_us >= row.samples[0].load.p50_us > 0
    assert (row.total_cpu_us() or 0) > 0
    assert set(row.cpu_us()) == {"limit", "redis", "mongo"}


@pytest.mark.parametrize("name", ["userinfo", "refresh", "code flow"])
async def test_first_run_ends_when_everybody_was_there(ground: Ground, tmp_path: Path, name: str) -> None:
    """Before a measurement each person is asked about once, however long the measurement would be."""
    operations = [operation for operation in OPERATIONS if operation.name == name]
    measuring = Measuring([Case(ground, [8])], Drive(seconds=4, connections=CONNECTIONS), tmp_path, print)

    await measuring.round(operations)

    row = measuring.rows()[0]
    assert 0 < row.first[0].load.requests < row.samples[0].load.requests / 2


async def test_refresh_tokens_go_from_run_to_run(ground: Ground, tmp_path: Path) -> None:
    """What a run rotated is used by the next; only those under way at its end are replaced."""
    members = await ground.with_refresh_tokens(8)
    before = [member.refresh_token for member in members]
    operations = [operation for operation in OPERATIONS if operation.name == "refresh"]
    measuring = Measuring([Case(ground, [8])], Drive(seconds=1, connections=CONNECTIONS), tmp_path, print)

    await measuring.round(operations)
    after = [member.refresh_token for member in members]
    await measuring.round(operations)

    assert not set(before) & set(after)
    assert after.count("") <= CONNECTIONS
    assert measuring.rows()[0].failures() == []


async def test_wrong_answers_are_counted_and_shown(ground: Ground, tmp_path: Path) -> None:
    """A refused request is an error of the run, with the first answer to look at."""
    operation = next(operation for operation in OPERATIONS if operation.name == "userinfo")
    prepared = await operation.prepare(ground, 1)
    assert isinstance(prepared, Prepared)
    plan = tmp_path / "plan.lua"
    plan.write_text(
        'return {requests = {{method = "GET", path = "/oidc/v1/userinfo", '
        'headers = {Authorization = "Bearer wrong"}}}, values = {""}, status = 200, needles = {"sub"}}'
    )

    load = await run(Course(ground.target.issuer, prepared.script, plan), Drive(seconds=1, connections=2))

    assert load.errors.status == load.errors.answer > 0
    assert load.first_bad.startswith('request: 401 {"error":"invalid_token"')
