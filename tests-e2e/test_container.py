"""What the container of everything does, without Docker: its start and stop, and the ways to a new volume and to docker-compose.yml."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import httpx
import pytest
from portico_contracts.apply import Document, Organization, ServiceUser
from portico_contracts.http import CONSOLE, DISCOVERY
from portico_harness.eventually import eventually
from portico_harness.portico_command import PORTICO, processes_of
from portico_scenarios.guide import blocks_of, replaced
from portico_scenarios.relying_party import Client
from portico_scenarios.second_factor_user import PASSWORD, second_factor_user
from portico_scenarios.world import World, started
from portico_stack.assembly.stack import Stack
from portico_stack.in_container import options_of
from portico_stack.installation.demo import REPOSITORY
from portico_stack.machine.ports import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ISSUER: Final = "https://id.example.test"
SECONDS: Final = 60.0
GUIDE: Final = REPOSITORY / "docs" / "guides" / "one-container.md"


def environment(data: Path, **more: str) -> dict[str, str]:
    """Returns the environment of a container with this volume."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PORTICO_")}
    return {**ours, "PORTICO_STACK_DATA": str(data), **more}


async def run(data: Path, *command: str | Path, given: Mapping[str, str] = {}) -> tuple[int, str]:
    """Runs a command in the container; returns its status and output."""
    process = await asyncio.create_subprocess_exec(
        *command, env=environment(data, **given), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    printed, _ = await process.communicate()
    return process.returncode or 0, printed.decode()


async def is_healthy(data: Path) -> bool:
    return (await run(data, sys.executable, "-m", "portico_stack.health"))[0] == 0


async def test_container_starts_and_stops(tmp_path: Path) -> None:
    """The container prints the first-run link at the public URL, listens on every address, and ends completely at
    SIGTERM.
    """
    data, output, port = tmp_path / "data", tmp_path / "output", free_port()
    start = f"import portico_stack.in_container as it; it.GATEWAY_PORT = {port}; raise SystemExit(it.main())"
    mail_page = free_port()
    given = environment(data, PORTICO_ISSUER=ISSUER, PORTICO_STACK_MAIL_PAGE=str(mail_page))
    with output.open("wb") as out:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", start, env=given, stdout=out, stderr=out)

    async def printed() -> str:
        assert process.returncode is None, output.read_text()
        return output.read_text()

    try:
        text = await eventually(printed, lambda text: "Portico is ready." in text, seconds=SECONDS)
        healthy = await is_healthy(data)
        async with httpx.AsyncClient() as outside:
            metadata = (await outside.get(f"http://127.0.0.2:{port}{DISCOVERY}")).json()
            mails = await outside.get(
                f"http://127.0.0.2:{mail_page}/api/mails?limit=1", headers={"Host": f"localhost:{mail_page}"}
            )
        link = await run(data, PORTICO, "first-run")
    finally:
        process.send_signal(signal.SIGTERM)
        status = await asyncio.wait_for(process.wait(), SECONDS)

    assert healthy
    assert metadata["issuer"] == ISSUER
    assert mails.status_code == 200
    assert f"{ISSUER}/ui/login/first-run?code=" in text
    assert f"{ISSUER}/ui/login/first-run?code=" in link[1]
    assert '"service": "token"' in text
    assert "(sign in here)" not in text
    assert status == 0
    assert not processes_of(data)
    assert not await is_healthy(data)


def natively_to_a_volume(old: Path, new: Path) -> dict[str, str]:
    """Returns replacements of the guide's commands, which need Docker, by what they run."""
    return {
        "docker build -f deploy/Dockerfile -t portico/portico:new .\n": "",
        "docker stop portico\n": "",
        "docker run --rm -v portico:/data --entrypoint portico portico/portico": f"env PORTICO_STACK_DATA={old} {PORTICO}",
        "docker run --rm -v portico:/old -v portico-new:/data --entrypoint cp portico/portico:new": f"install -d -m 0700 {new} && cp",
        "docker run --rm -v portico-new:/data --entrypoint portico portico/portico:new": f"env PORTICO_STACK_DATA={new} {PORTICO}",
        " /old/": f" {old}/",
        "make /data/": f"make {old}/",
        "key /data/volume.key)": f"key {old}/volume.key)",
        "restore /data/": f"restore {new}/",
        "--key /data/": f"--key {new}/",
        " /data\n": f" {new}\n",
    }


def natively_to_the_composition(old: Path, new: Path) -> dict[str, str]:
    lay_out = f"import pathlib, portico_stack.in_compose as it; it.lay_out(pathlib.Path({str(new)!r}))"
    return {
        "docker stop portico\n": "",
        "docker run --rm -v portico:/data --entrypoint portico portico/portico": f"env PORTICO_STACK_DATA={old} {PORTICO}",
        "docker compose build\n": "",
        "docker compose create lay-out": f"install -d -m 0700 {new}",
        "docker run --rm -v portico:/data -v portico_portico:/portico --entrypoint cp portico/portico": "cp",
        "docker compose run --rm prepare": f'{sys.executable} -c "{lay_out}"',
        "docker compose run --rm operator portico": f"env PORTICO_STACK_DATA={new} {PORTICO}",
        " /data/": f" {old}/",
        " /portico/": f" {new}/",
        " /portico\n": f" {new}\n",
    }


async def administrator_token(world: World) -> str:
    id, secret = f"admin-{secrets.token_hex(4)}", "the secret of the one who administers"
    user = ServiceUser(id=id, username=id, name="Administrator", secret=secret, roles=("IAM_OWNER",))
    await world.stack.apply(Document(organizations=(Organization(id=f"org-{id}", name=id, service_users=(user,)),)))
    client = Client(id, "", secret, "client_secret_basic")
    scope = "openid urn:portico:project:id:portico:aud"
    token: str = (await world.grant(client, "client_credentials", scope=scope))["access_token"]
    return token


@pytest.mark.parametrize(
    ("blocks", "natively"),
    [(slice(0, 2), natively_to_a_volume), (slice(2, 4), natively_to_the_composition)],
    ids=["volume", "composition"],
)
async def test_container_moves(tmp_path: Path, blocks: slice, natively: Callable[[Path, Path], dict[str, str]]) -> None:
    """After the guide's commands a user signs in to the console there with an authenticator app."""
    old, new = tmp_path / "container", tmp_path / "moved"
    options = options_of(environment(old), free_port())
    assert not options.catches_mail
    async with started(options, as_given=True) as world:
        ada = await second_factor_user(world, "ada", await administrator_token(world))
        await ada.add_totp()
    steps = [await run(old, "bash", "-euxc", replaced(block, natively(old, new))) for block in blocks_of(GUIDE)[blocks]]
    assert [status for status, _ in steps] == [0, 0], steps

    stack = Stack(replace(options, data=new))
    try:
        await stack.start()
        async with world.agent() as agent:
            await agent.sign_in(f"{stack.issuer}{CONSOLE}", ada.id, PASSWORD)
            console = (await agent.press("otp-submit", otp=ada.next_code())).response
    finally:
        await stack.stop()

    assert console.url.path.startswith(f"{CONSOLE}/orgs/"), f"{console.status_code} {console.url} {console.text[:2000]}"
    for name in ("keys", "users", "console"):
        masters = [data / "secrets" / name / "portico_master_keys" for data in (old, new)]
        assert masters[0].read_text() == masters[1].read_text()


async def test_volume_of_another_mongodb_is_refused(tmp_path: Path) -> None:
    """One message has what was found, what is needed and the guide, and the volume keeps its files."""
    data, mongod = tmp_path / "data", tmp_path / "mongod"
    async with started(options_of(environment(data), free_port()), as_given=True):
        pass
    mongod.write_text("#!/bin/sh\necho 'db version v8.0.30'\n")
    mongod.chmod(0o700)
    before = contents(data)
    module = (sys.executable, "-m", "portico_stack.in_container")
    status, output = await run(data, *module, given={"PORTICO_STACK_MONGOD": str(mongod)})

    assert status == 1
    assert re.search(
        r"cannot start: \S+mongo has data of MongoDB 6\.0\.5, which MongoDB 8\.0\.30 .*upgrade\.md#servers", output
    )
    assert contents(data) == before


def contents(data: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in data.rglob("*") if file.is_file() and file.name != "lock"}


@pytest.mark.parametrize(
    "issuer", ["id.example.com", "https://id.example.com/", "https://id.example.com/auth", "https://192.0.2.7"]
)
async def test_unusable_issuer_is_refused(tmp_path: Path, issuer: str) -> None:
    """The message names the setting or the problem of the name, before anything starts."""
    status, output = await run(
        tmp_path, sys.executable, "-m", "portico_stack.in_container", given={"PORTICO_ISSUER": issuer}
    )

    assert status == 1
    assert output.startswith("Portico cannot start: ")
    assert not (tmp_path / "installation.json").exists()
