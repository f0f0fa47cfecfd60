"""A command-line program with openid-client signs its user in by a code (RFC 8628), as in docs/guides/devices.md."""

from __future__ import annotations

import asyncio
import json
import os
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

pytestmark = [pytest.mark.e2e, pytest.mark.long]

FOLDER = Path(__file__).parent / "node"


@pytest.fixture
async def program(world: World) -> AsyncIterator[Process]:
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
    environment = {"ISSUER": world.issuer, "CLIENT_ID": name, "PATH": os.environ["PATH"]}
    started = await asyncio.create_subprocess_exec("node", "device.mjs", cwd=FOLDER, env=environment, stdout=PIPE)
    yield started
    if started.returncode is None:
        started.kill()
    await started.wait()
    await world.stack.apply(Document(login_policy=LoginPolicy(), organizations=()))


async def line_of(program: Process) -> dict[str, str]:
    assert program.stdout is not None
    async with asyncio.timeout(HANGS):
        line: dict[str, str] = json.loads(await program.stdout.readline())
    return line


async def test_openid_client_signs_in(world: World, program: Process) -> None:
    """It discovers the endpoint, polls until its user approves, and refreshes."""
    mia = await second_factor_user(world, "mia")
    shown = await line_of(program)
    async with world.agent() as agent:
        await agent.open(shown["link"])
        await agent.press("device-submit")
        await agent.press("loginname-submit", loginname=mia.id)
        asked = await agent.press("password-submit", password=PASSWORD)
        done = await agent.press("consent-allow")

    assert asked.shows("device-facts")
    assert done.shows("device-answered-page")
    assert await line_of(program) == {"name": "Mia Example", "sub": mia.id}
