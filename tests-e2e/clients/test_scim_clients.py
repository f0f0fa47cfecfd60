"""Clients of SCIM that others wrote, unchanged: scim2-cli, and a program made of scimmy."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import pytest
from portico_harness.eventually import HANGS
from portico_scenarios.page_clients import FURTHER
from portico_scenarios.scim_provisioner import GROUP, Provisioner, provisioner_of
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]


@pytest.fixture
async def directory(world: World) -> Provisioner:
    return await provisioner_of(world)


async def output_of(*command: str, folder: Path, sent: str = "", **environment: str) -> str:
    env = {"PATH": os.environ["PATH"], **environment}
    started = await asyncio.create_subprocess_exec(*command, cwd=folder, env=env, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    async with asyncio.timeout(HANGS):
        shown, errors = await started.communicate(sent.encode())
    assert started.returncode == 0, f"{shown.decode()} {errors.decode()}"
    return shown.decode()


async def test_scim2_cli(directory: Provisioner, tmp_path: Path) -> None:
    """The command describes itself by our schemas, and creates, finds, changes, replaces and deletes."""
    environment = {"SCIM_CLI_URL": directory.url, "SCIM_CLI_HEADERS": f"Authorization: Bearer {directory.secret}"}

    async def scim(*arguments: str, sent: Any = None) -> Any:
        command = (str(Path(sys.executable).parent / "scim2"), *arguments)
        text = await output_of(*command, folder=tmp_path, sent=json.dumps(sent) if sent else "", **environment)
        return json.loads(text) if text.strip() else None

    mail = directory.mail("ada")
    made = await scim("create", "user", sent=directory.person("ada"))
    shown = await scim("query", "user", made["id"])
    found = await scim("search", "user", "--filter", f'userName eq "{mail}"')
    changed = await scim("modify", "user", made["id"], "replace", "title", "Countess", "replace", "active", "false")
    replaced = await scim("replace", "user", sent={**directory.person("ada"), "id": made["id"], "nickName": "A"})
    group = {"schemas": [GROUP], "displayName": "Staff", "members": [{"value": made["id"]}]}
    members = (await scim("create", "group", sent=group))["members"]
    await scim("delete", "user", made["id"])
    after = await scim("search", "user", "--filter", f'userName eq "{mail}"')

    assert shown == made
    assert [one["id"] for one in found["Resources"]] == [made["id"]]
    assert (changed["title"], changed["active"]) == ("Countess", False)
    assert (replaced["nickName"], replaced["active"], "title" in replaced) == ("A", True, False)
    assert [one["value"] for one in members] == [made["id"]]
    assert after["totalResults"] == 0


async def test_scimmy(directory: Provisioner, tmp_path: Path) -> None:
    """The classes of scimmy read each answer by their schemas, and each PATCH has the result that they compute."""
    (tmp_path / "node_modules").symlink_to(FURTHER / "node_modules")
    (tmp_path / "scimmy.mjs").write_bytes((FURTHER / "scimmy.mjs").read_bytes())
    environment = {"BASE": directory.url, "TOKEN": directory.secret, "MAIL": directory.mail("ada")}
    seen = json.loads(await output_of("node", "scimmy.mjs", folder=tmp_path, **environment))

    assert seen == {
        "patch": True,
        "created": [201, True],
        "patches": [[200, True]] * 6,
        "members": 1,
        "found": [1, [True]],
        "conflict": [409, "409", "uniqueness"],
        "deleted": [204, 204],
    }
