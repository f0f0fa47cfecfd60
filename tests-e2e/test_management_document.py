"""The OpenAPI document of the management API is correct, as checked by schemathesis.

``make schemathesis`` tries every operation with hundreds of values; here each has a few, and
`services/users/tests` tries every operation in process as well.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from portico_contracts.http import MANAGEMENT_OPENAPI
from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions

pytestmark = [pytest.mark.e2e, pytest.mark.long]

EXAMPLES = int(os.environ.get("PORTICO_TEST_EXAMPLES", "0"))
"""Values for each operation; 0 for the small default."""

FEW = ("--phases", "fuzzing", "--max-examples", "8", "--no-shrink")
ALL = ("--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES))

CONFIGURATION = """
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429", "431"]
"""
"""Statuses that refuse invalid data: 413 and 431 are the gateway's, for bodies and URLs that are too long."""

NOT_CHECKED = "positive_data_acceptance,unsupported_method"
"""That valid data is always taken: no schema expresses that a name is taken already. And other methods: they are tried
with a body, which the gateway refuses for GET; `services/users/tests/unit/test_http_paths.py` asks the service itself.
"""

DEADLY = (
    "_(DeactivateOrg|DeactivateUser|LockUser|DeleteUser|UpdateIAMMember|RemoveIAMMember"
    "|SetHumanPassword|SetHumanInitialPassword)(_2)?$"
)
"""A call may delete its own caller, because schemathesis finds real ids in responses. The second path of an
operation has its id with a number.
"""


@pytest.fixture(scope="module")
async def examined(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A stack whose policies may change arbitrarily."""
    async with started(StackOptions(tmp_path_factory.mktemp("examined"), port=0)) as one:
        yield one


async def test_openapi_document_is_served(examined: World) -> None:
    """The OpenAPI document is public and needs no token."""
    document = (await examined.http.get(f"{examined.issuer}{MANAGEMENT_OPENAPI}")).json()

    assert document["openapi"] == "3.1.0"
    assert "/v2/users/human" in document["paths"]


async def _tried(admin: Administrator, directory: Path, *which: str) -> None:
    arguments = (
        "run", f"{admin.world.issuer}{MANAGEMENT_OPENAPI}", "--header", f"Authorization: Bearer {admin.token}",
        *(ALL if EXAMPLES else FEW), "--seed", "1", "--no-color", "--continue-on-failure", "--warnings", "off",
        "--exclude-checks", NOT_CHECKED, *which,
    )  # fmt: skip
    (directory / "schemathesis.toml").write_text(CONFIGURATION)
    program = Path(sys.executable).with_name("st")
    running = await asyncio.create_subprocess_exec(
        program, *arguments, cwd=directory, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await running.communicate()
    if EXAMPLES:
        print(said.decode()[-3000:])  # noqa: T201 - figures to read
    assert running.returncode == 0, said.decode()[-20_000:]


async def test_openapi_document_is_correct(examined: World, tmp_path: Path) -> None:
    """No data causes an internal error, an undocumented response or a schema violation (RX-12)."""
    admin = await administrator_of(examined)
    await _tried(admin, tmp_path, "--exclude-operation-id-regex", DEADLY)
    still = await examined.http.get(f"{examined.issuer}/v2/users/admin-{admin.tag}", headers=admin.headers)
    await _tried(await administrator_of(examined), tmp_path, "--include-operation-id-regex", DEADLY)

    assert still.status_code == 200
