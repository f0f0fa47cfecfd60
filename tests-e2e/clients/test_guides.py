"""Runs every command block of the quick start and of the API guide unchanged, from `make up` on.

The fixture `terminals` adapts ports, the data directory and npm packages, which come from the lock file.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from portico_harness.eventually import eventually
from portico_scenarios.agent import Agent
from portico_scenarios.guide import Reader, blocks_of
from portico_scenarios.third_party_app import ThirdPartyApp
from portico_scenarios.world import http_client
from portico_stack.machine.ports import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ROOT = Path(__file__).parents[2]
QUICKSTART, API = ROOT / "docs/quickstart.md", ROOT / "docs/guides/api.md"
NODE = Path(__file__).parent / "node"
READY_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Terminals:
    """Two terminals: `make up` runs in one, the other is for work."""

    issuer: str
    shop: str
    password: str
    work: Reader
    folder: Path


@pytest.fixture(scope="module")
async def terminals(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Terminals]:
    """The first block of the quick start has run and Portico is ready."""
    folder = tmp_path_factory.mktemp("terminals")
    (folder / ".venv").symlink_to(ROOT / ".venv")
    port, shop = free_port(), free_port()
    replacements = {
        "make up": f"make -C {ROOT} up PORT={port} ARGS='--data {folder}/.portico'",
        "localhost:8080": f"localhost:{port}",
        "localhost:3000": f"localhost:{shop}",
        "npm install openid-client@6": f"cp -r {NODE}/node_modules .",
    }
    environment = {**os.environ, "PATH": os.environ["PATH"].replace(str(Path(sys.executable).parent), "")}
    first = await Reader.begin(folder, environment, replacements)
    work = await Reader.begin(folder, environment, replacements)
    try:
        await first.leave_running(blocks_of(QUICKSTART)[0])
        log = await eventually(lambda: _ready(folder), bool, READY_SECONDS)
        [password] = re.findall(r"Administrator +admin  password (\S+)", log)
        yield Terminals(f"http://localhost:{port}", f"http://localhost:{shop}", password, work, folder)
    finally:
        await work.end()
        await first.end()


async def _ready(folder: Path) -> str:
    log = (folder / "running.log").read_text()
    assert "cannot start" not in log, log
    return log if "Portico is ready" in log else ""


def printed(output: str, name: str) -> str:
    found = re.search(rf"^{name}  +(\S+)", output, re.MULTILINE)
    assert found, output
    return found[1]


async def test_quick_start_ends_with_a_sign_in(terminals: Terminals) -> None:
    """The commands of the quick start, from `make up` on, end with a signed-in page of a new application."""
    _make_up, add, run, snippet = blocks_of(QUICKSTART)
    added = await terminals.work.run(add)
    secret = printed(added.output, "Client secret")
    await terminals.work.leave_running(run, pasted=secret)
    app = ThirdPartyApp(terminals.shop, terminals.folder / "shop" / "running.log")
    await eventually(app.status, lambda status: status == 200, READY_SECONDS)
    async with Agent(terminals.issuer, http_client(terminals.issuer, None)) as agent:
        page = await app.sign_in(agent, "admin", terminals.password)
    await terminals.work.run(f"cd {terminals.folder}")
    other = await terminals.work.run(snippet)

    assert added.status == 0
    assert printed(added.output, "Issuer") == terminals.issuer
    assert page == "Hello Ada Admin"
    assert (other.status, '"client_secret_post"' in other.output) == (0, True)
    assert secret not in other.output


async def test_guide_token_methods_work(terminals: Terminals) -> None:
    """A secret, a key file and a personal access token each identify the service user at the API."""
    make, by_secret, key_file, by_key, personal, from_version = blocks_of(API)
    await terminals.work.run(f"cd {terminals.folder}")
    made = await terminals.work.run(make)
    found = re.search(r"shown only once\): (\S+)", made.output)
    assert found, made.output
    answers = [await terminals.work.run(by_secret, pasted=found[1])]
    kept = await terminals.work.run(key_file)
    answers += [await terminals.work.run(by_key), await terminals.work.run(personal)]
    changed = await terminals.work.run(from_version)
    later = await terminals.work.run(from_version.splitlines()[1])
    token = await terminals.work.run("portico token --as nightly --key nightly.json | wc -l")
    foreign = await terminals.work.run("portico token --as admin --key nightly.json")

    assert (made.status, kept.status) == (0, 0)
    for answer in answers:
        assert (answer.status, '"username":"nightly"' in answer.output) == (0, True), answer.output
    assert ('"resourceOwner":"demo-organization"' in changed.output, "USER-728" in later.output) == (True, True), (
        changed.output
    )
    assert token.output.strip() == "1"
    assert foreign.status == 1
    assert foreign.output.strip() == "refused: nightly.json is the key file of the service user nightly, not of admin."
