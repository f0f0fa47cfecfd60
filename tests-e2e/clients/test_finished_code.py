"""The code printed by `portico app` runs unchanged with the published library and signs a user in."""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
from pathlib import Path

import pytest
from portico_contracts.apply import DpopName, OidcApp
from portico_harness.portico_command import Ran, portico
from portico_scenarios import third_party_app
from portico_scenarios.participants import ALICE, LIBRARIES, document_of_libraries
from portico_scenarios.world import World
from portico_stack.machine.ports import free_port

pytestmark = pytest.mark.e2e

NODE = Path(__file__).parent / "node"
PROJECT = ("--organization", "E2E", "--project", LIBRARIES)

RUN: dict[str, tuple[str | Path, ...]] = {
    "openid-client": ("node", "app.mjs"),
    "flask": (sys.executable, "app.py"),
    "fastapi": (sys.executable, "app.py"),
    "django": (sys.executable, "app.py"),
    **({"go": ("sh", "-c", "go mod tidy && go build -o shop . && exec ./shop")} if shutil.which("go") else {}),
    **({"spring": ("sh", "-c", "mvn -q -B package && exec java -jar target/shop.jar")} if shutil.which("mvn") else {}),
}
"""How to start the code of each framework: its library is installed or can be built."""

SHORT = ("openid-client", "fastapi")
"""One of each language; the others belong to `make test-all`."""


async def add(world: World, name: str, *options: str | Path) -> Ran:
    await world.stack.apply(document_of_libraries())
    return await portico("app", "add", name, *PROJECT, *options, "--data", world.stack.options.data)


def row(ran: Ran, name: str) -> str:
    found = re.search(rf"^{name}  +(\S+)", ran.output, re.MULTILINE)
    assert found, ran.output
    return found[1]


@pytest.mark.parametrize("nonce", [False, True])
@pytest.mark.parametrize(
    "framework", ["openid-client", *([pytest.param("go", marks=pytest.mark.long)] if "go" in RUN else [])]
)
async def test_printed_code_sends_proofs(world: World, tmp_path: Path, framework: str, *, nonce: bool) -> None:
    """The code of an application that requires DPoP binds its tokens to a key (RFC 9449), also where it needs nonces."""
    url, secret = f"http://localhost:{free_port()}", f"e2e-secret-{'p' * 24}"
    app = OidcApp(
        name=f"bound code {framework} {nonce}",
        client_id=f"e2e-bound-code-{framework}-{nonce}",
        client_secret=secret,
        redirect_uris=(f"{url}/cb",),
        dpop=DpopName.REQUIRED,
        dpop_nonce=nonce,
    )
    await world.stack.apply(document_of_libraries(app))
    options = ("--framework", framework, "--output", tmp_path, "--data", world.stack.options.data)
    printed = await portico("app", "snippet", app.name, "--organization", "E2E", *options)
    if framework == "openid-client":
        (tmp_path / "node_modules").symlink_to(NODE / "node_modules")
    environment = {"CLIENT_SECRET": secret}
    async with (
        third_party_app.running(RUN[framework], tmp_path, url, environment) as running,
        world.agent() as agent,
    ):
        page = await running.sign_in(agent, ALICE.login_name, ALICE.password)

    assert printed.status == 0
    assert page == "Hello Alice Liddell"


@pytest.mark.parametrize(
    "framework", [pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in RUN]
)
async def test_printed_code_signs_a_user_in(world: World, tmp_path: Path, framework: str) -> None:
    """The code works unchanged with its library's default authentication method."""
    url = f"http://localhost:{free_port()}"
    added = await add(
        world, f"code {framework}", "--redirect", f"{url}/cb", "--framework", framework, "--output", tmp_path
    )
    if framework == "openid-client":
        (tmp_path / "node_modules").symlink_to(NODE / "node_modules")
    assert shutil.which(str(RUN[framework][0])), f"{RUN[framework][0]} is missing"
    code = await asyncio.to_thread(lambda: "".join(path.read_text() for path in tmp_path.glob("app.*")))
    secret = {"CLIENT_SECRET": row(added, "Client secret")}
    async with third_party_app.running(RUN[framework], tmp_path, url, secret) as app, world.agent() as agent:
        page = await app.sign_in(agent, ALICE.login_name, ALICE.password)

    assert added.status == 0
    assert page == "Hello Alice Liddell"
    assert secret["CLIENT_SECRET"] not in code
