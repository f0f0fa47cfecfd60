"""The finished code for a command line, with openid-client, signs its user in by a device code (RFC 8628): that of a
declared application, and that of the console.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from portico_contracts.apply import AppTypeName, AuthMethodName, Document, LoginPolicy, OidcApp, Organization, Project
from portico_harness.eventually import HANGS
from portico_oauth.grant_types import GrantTypeName
from portico_scenarios.second_factor_user import PASSWORD, second_factor_user
from portico_scenarios.world import World
from portico_snippets import Application, find_framework, render

pytestmark = [pytest.mark.e2e, pytest.mark.long]

MODULES = Path(__file__).parent / "node" / "node_modules"


@pytest.fixture
async def program(world: World, tmp_path: Path) -> AsyncIterator[Process]:
    name = f"cli-{secrets.token_hex(4)}"
    app = OidcApp(
        name="Command line",
        client_id=name,
        app_type=AppTypeName.NATIVE,
        auth_method_type=AuthMethodName.NONE,
        response_types=(),
        grant_types=(GrantTypeName.DEVICE_CODE, GrantTypeName.REFRESH_TOKEN),
    )
    org = Organization(id=f"org-{name}", name=name, projects=(Project(name="cli", oidc_apps=(app,)),))
    await world.stack.apply(Document(login_policy=LoginPolicy(allow_device_authorization=True), organizations=(org,)))
    code = render(find_framework("device-code"), Application(world.issuer, name, "", "none"))
    (tmp_path / "cli.mjs").write_text(code.files["cli.mjs"], encoding="utf-8")
    (tmp_path / "node_modules").symlink_to(MODULES)
    path = {"PATH": os.environ["PATH"]}
    started = await asyncio.create_subprocess_exec("node", "cli.mjs", cwd=tmp_path, env=path, stdout=PIPE)
    yield started
    if started.returncode is None:
        started.kill()
    await started.wait()
    await world.stack.apply(Document(login_policy=LoginPolicy(), organizations=()))


async def line_of(program: Process) -> str:
    assert program.stdout is not None
    async with asyncio.timeout(HANGS):
        return (await program.stdout.readline()).decode().strip()


async def test_openid_client_signs_in(world: World, program: Process) -> None:
    """openid-client discovers the endpoint, and polls until its user has approved."""
    mia = await second_factor_user(world, "mia")
    shown = re.fullmatch(r"Open (\S+) and enter the code (\S+)", await line_of(program))
    assert shown
    async with world.agent() as agent:
        await agent.open(shown[1])
        await agent.press("device-submit", user_code=shown[2])
        await agent.press("loginname-submit", loginname=mia.id)
        asked = await agent.press("password-submit", password=PASSWORD)
        done = await agent.press("consent-allow")

    assert asked.shows("device-facts")
    assert done.shows("device-answered-page")
    assert await line_of(program) == "Hello Mia Example"
