"""Declared configuration: apply, export, prune and import with the `portico` command on a running stack."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator
from pathlib import Path

import bcrypt
import pytest
from portico_harness.portico_command import PORTICO, Ran, portico
from portico_scenarios import relying_party
from portico_scenarios.agent import Page
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

PASSWORD = "an owl on the old tower"

HUMAN = """
      - id: declared-{name}
        username: declared-{name}
        profile: {{firstName: {name}, lastName: Declared}}
        email: {{email: {name}@declared.localhost, isVerified: true}}
        password: {{password: {password}}}
"""
ORGANIZATION = """
organizations:
  - id: declared
    name: Declared
    lockoutPolicy: {{maxPasswordAttempts: 50}}
    projects:
      - {{name: web, roles: [{{roleKey: reader}}]}}
    serviceUsers: []
    humans:{humans}
"""


def document(*names: str) -> str:
    humans = "".join(HUMAN.format(name=name, password=PASSWORD) for name in names)
    return ORGANIZATION.format(humans=humans)


async def run(world: World, *arguments: str | Path) -> Ran:
    return await portico(*arguments, "--data", world.stack.options.data)


async def sign_in(world: World, login_name: str) -> Page:
    begun = relying_party.begin(world.metadata, world.clients["basic"])
    async with world.agent() as agent:
        return await agent.sign_in(begun.url, login_name, PASSWORD)


async def test_plan_apply_and_prune(world: World, tmp_path: Path) -> None:
    """A plan writes nothing, applied resources need no further change, and removed ones are deleted on request."""
    file = tmp_path / "declared.yaml"
    file.write_text(document("ada", "bob"))
    planned = await run(world, "apply", file, "--plan")
    unknown = await sign_in(world, "declared-bob")
    applied = await run(world, "apply", file)
    again = await run(world, "apply", file, "--plan")
    there = await sign_in(world, "declared-bob")
    file.write_text(document("ada"))
    kept = await run(world, "apply", file)
    pruned = await run(world, "apply", file, "--prune", "--yes")
    gone = await sign_in(world, "declared-bob")

    assert (planned.status, planned.lines[-1]) == (
        3,
        "4 to create, 0 to update, 0 to remove, 0 unchanged. Nothing was changed.",
    )
    assert (applied.status, applied.lines[-1]) == (0, "4 created, 0 updated, 0 removed, 0 unchanged.")
    assert (again.status, again.lines) == (
        0,
        ["0 to create, 0 to update, 0 to remove, 4 unchanged. Nothing was changed."],
    )
    assert kept.lines == ["0 created, 0 updated, 0 removed, 3 unchanged."]
    assert pruned.lines[0].split() == ["removed", "human", "declared-bob", "declared-bob"]
    assert (unknown.returned, gone.returned) == (None, None)
    assert there.returned is not None
    assert PASSWORD not in planned.output + applied.output


async def test_error_names_the_line(world: World, tmp_path: Path) -> None:
    """An error names its line, even one that only the service can detect, and nothing is written."""
    file = tmp_path / "declared.yaml"
    file.write_text(document("ada").replace("roleKey: reader", "roleKey: ' '"))
    refused = await run(world, "apply", file)

    assert refused.status == 1
    assert refused.lines[0].startswith(f"refused: {file}:7:30: organizations[0].projects[0].roles[0].roleKey: ")
    assert refused.lines[1] == "Nothing was changed."


async def test_plan_of_a_full_export_is_empty(world: World, tmp_path: Path) -> None:
    """A plan of a full export of the stack is empty, and the export holds no secret (IN-09)."""
    file = tmp_path / "all.yaml"
    exported = await run(world, "export", "--output", file)
    planned = await run(world, "apply", file, "--plan")
    text = file.read_text()

    assert (exported.status, exported.output) == (0, "")
    assert (planned.status, planned.lines[:-1]) == (0, [])
    assert "password:" not in text
    assert not [client.secret for client in world.clients.values() if client.secret and client.secret in text]


def rows(hash: str) -> Iterator[str]:
    for number in range(240):
        name = f"moved-{number}"
        email = {"email": f"{name}@moved.localhost" if number != 7 else "nobody"}
        row = {"username": name, "profile": {"firstName": "M", "lastName": str(number)}, "email": email}
        yield json.dumps(row | {"organisation": {"orgId": "moved"}, "hashedPassword": {"hash": hash}}) + "\n"


@pytest.mark.long
async def test_interrupted_import_can_be_repeated(world: World, tmp_path: Path) -> None:
    """A repeated import after a crash creates no user twice, skips the invalid row, and old passwords work (MG-12)."""
    hash = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4)).decode()
    organization, file, report = tmp_path / "moved.yaml", tmp_path / "people.jsonl", tmp_path / "report.jsonl"
    organization.write_text("organizations: [{id: moved, name: Moved}]\n")
    file.write_text("".join(rows(hash)))
    await run(world, "apply", organization)
    checked = await run(world, "user", "import", file, "--dry-run")
    await _killed_after_first_rows(world, list(rows(hash)), report)
    done = await run(world, "user", "import", file, "--report", report)
    again = await run(world, "user", "import", file)
    told = [json.loads(line) for line in report.read_text().splitlines()]
    signed_in = await sign_in(world, "moved-239")

    assert checked.lines[0] == "1: new, moved-0, organization moved, bcrypt, cost=04, email not verified"
    assert checked.lines[-1] == "239 to create, 0 already imported, 1 refused. Nothing was changed."
    assert (done.status, done.lines[0].split(" ")[0]) == (1, "8:")
    assert {row["status"] for row in told} == {"created", "exists", "refused"}
    assert len({row["userId"] for row in told if "userId" in row}) == 239
    assert again.lines[-1] == "0 created, 239 already imported, 1 refused."
    assert signed_in.returned is not None
    assert hash not in done.output + report.read_text()


async def _killed_after_first_rows(world: World, lines: list[str], report: Path) -> None:
    """Runs until the first batch is reported, and kills the command."""
    process = await asyncio.create_subprocess_exec(
        PORTICO, "user", "import", "-", "--report", report, "--at-once", "1", "--data", world.stack.options.data,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    # The pipe stays open, so the import cannot finish. The invalid row is reported with its batch.
    process.stdin.write("".join(lines[:150]).encode())
    await process.stdin.drain()
    assert b"email" in await process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    await process.wait()
