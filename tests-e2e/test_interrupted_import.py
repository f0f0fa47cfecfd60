"""Imports that are interrupted from outside: each user exists once, and the command states what it did."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from portico_harness.portico_command import PORTICO, portico
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]

PEOPLE = 600
LONGEST = 2 * 1024 * 1024


def row(name: str) -> str:
    email = {"email": f"{name}@interrupted.localhost"}
    return json.dumps({"username": name, "profile": {"firstName": "I", "lastName": name}, "email": email})


async def test_import_outlasts_killed_services(doubled: World, tmp_path: Path) -> None:
    """While both replicas of users are killed, a row too large, a repeated address and a cut end are named (MG-12)."""
    org, file, report = tmp_path / "org.yaml", tmp_path / "people.jsonl", tmp_path / "report.jsonl"
    org.write_text("organizations: [{id: interrupted, name: Interrupted}]\n")
    rows = [row(f"interrupted-{number}") for number in range(PEOPLE)]
    lines = ["x" * (LONGEST + 1), *rows, rows[0], row("interrupted-cut")[:60]]
    file.write_text("\n".join(lines))
    data = ("--organization", "interrupted", "--data", doubled.stack.options.data)
    await portico("apply", org, "--data", doubled.stack.options.data)
    process = await asyncio.create_subprocess_exec(
        *(str(one) for one in (PORTICO, "user", "import", "-", "--report", report, *data)),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n".join(lines[:450]).encode() + b"\n")
    await process.stdin.drain()
    # The row that is too large is reported with its message, while the next ones are in progress.
    first = await process.stdout.readline()
    for name in ("users-1", "users-2"):
        doubled.stack.kill(name)
    printed, _ = await process.communicate("\n".join(lines[450:]).encode())
    told = [json.loads(line) for line in report.read_text().splitlines()]
    again = await portico("user", "import", file, *data)

    assert first.decode() == "1: This row is longer than 2 MiB. (USER-300)\n"
    assert process.returncode == 1
    assert [one["line"] for one in told if one["status"] == "refused"] == [1, PEOPLE + 3]
    assert len({one["userId"] for one in told[1 : PEOPLE + 1]}) == PEOPLE
    assert told[PEOPLE + 1] == {"line": PEOPLE + 2, "status": "exists", "userId": told[1]["userId"]}
    assert printed.decode().splitlines()[-1].endswith("2 refused.")
    assert again.lines[-1] == f"0 created, {PEOPLE + 1} already imported, 2 refused."
