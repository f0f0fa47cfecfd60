"""The official MCP SDKs call a protected server with nothing but a metadata document (RFC 9728, RFC 8707)."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import jwt
import pytest
from portico_contracts.apply import ApiApp, ApiScope, ClientMetadataPolicy, Document, Organization, Project
from portico_harness.eventually import HANGS, eventually
from portico_scenarios.metadata_host import HOST, MetadataHost
from portico_scenarios.second_factor_user import PASSWORD, SecondFactorUser, second_factor_user
from portico_scenarios.third_party_app import running
from portico_scenarios.world import World
from portico_stack.machine.ports import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.long]

HERE: Final = Path(__file__).parent
EXAMPLE: Final = HERE.parents[1] / "examples" / "mcp-server"
CALLBACK: Final = "http://127.0.0.1:50124/callback"


@dataclass(frozen=True, slots=True)
class McpServer:
    url: str
    api: str
    client_id: str
    python: Path


@pytest.fixture(scope="module")
async def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the Python SDK: its HTTP library must not replace that of the other tests."""
    folder = tmp_path_factory.mktemp("mcp")
    uv = Path(sys.executable).parent / "uv"
    for command in (
        ("venv", "-q", "--python", sys.executable, str(folder)),
        (
            "pip",
            "install",
            "-q",
            "--python",
            str(folder),
            "--require-hashes",
            "-r",
            str(HERE / "mcp_python/requirements.lock"),
        ),
    ):
        process = await asyncio.create_subprocess_exec(str(uv), *command)
        assert await process.wait() == 0
    return folder / "bin" / "python"


@pytest.fixture
async def mcp_server(
    world: World, metadata_host: MetadataHost, python: Path, tmp_path: Path
) -> AsyncIterator[McpServer]:
    """The example, registered as an API, whose project accepts metadata documents of the host."""
    port, tag = free_port(), f"mcp-{secrets.token_hex(4)}"
    url = f"http://localhost:{port}/mcp"
    scope = ApiScope(scope="notes.read", title="Read your notes")
    api = ApiApp(name="Notes", client_id=tag, client_secret=secrets.token_hex(20), resources=(url,), scopes=(scope,))
    project = Project(id=f"p-{tag}", name="notes", api_apps=(api,))

    async def apply(*hosts: str) -> None:
        policy = ClientMetadataPolicy(hosts=hosts, project_id=project.id or "")
        org = Organization(id=f"org-{tag}", name=tag, projects=(project,), client_metadata_policy=policy)
        await world.stack.apply(Document(organizations=(org,)))

    await apply(HOST)
    command = (str(python), "-m", "uvicorn", "--app-dir", str(EXAMPLE), "server:app", "--port", str(port))
    settings = {"ISSUER": world.issuer, "RESOURCE": url}
    async with running(command, tmp_path, f"http://localhost:{port}", settings):
        yield McpServer(url, tag, metadata_host.client(tag, "http://127.0.0.1/callback"), python)
    await apply()


@pytest.fixture
async def mia(world: World) -> SecondFactorUser:
    return await second_factor_user(world, "mia")


@pytest.mark.parametrize("sdk", ["python", "typescript"])
async def test_sdk_signs_in_from_nothing(world: World, mcp_server: McpServer, mia: SecondFactorUser, sdk: str) -> None:
    """The SDK finds Portico through the server, and gets a token for this server only."""
    program = (str(mcp_server.python), "mcp_python/client.py") if sdk == "python" else ("node", "node/mcp.mjs")

    async def offered() -> object:
        found = await world.http.get(f"{world.issuer}/.well-known/openid-configuration")
        return found.json().get("client_id_metadata_document_supported")

    await eventually(offered, True.__eq__, HANGS)
    process = await asyncio.create_subprocess_exec(
        *program, mcp_server.url, mcp_server.client_id, CALLBACK,
        cwd=HERE, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    opened = await _line(process.stdout, "OPEN ")
    async with world.agent() as agent:
        page = await agent.sign_in(opened, mia.id, PASSWORD)
        asked = page.response.text
        returned = await agent.press("consent-allow")
    process.stdin.write(f"{returned.location}\n".encode())
    await process.stdin.drain()
    result = await _line(process.stdout, "RESULT ")
    token = await _line(process.stdout, "TOKEN ")
    assert await process.wait() == 0
    claims = jwt.decode(token, options={"verify_signature": False})

    assert HOST in asked
    assert "Read your notes" in asked
    assert result == f"Buy milk ({mia.id})"
    assert set(claims["aud"]) == {mcp_server.url, mcp_server.api}
    assert claims["scope"] == "notes.read"


async def _line(stream: asyncio.StreamReader, prefix: str) -> str:
    async with asyncio.timeout(HANGS):
        while line := (await stream.readline()).decode():
            if line.startswith(prefix):
                return line.removeprefix(prefix).strip()
    raise AssertionError(f"no line {prefix}")
