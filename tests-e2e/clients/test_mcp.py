"""The official MCP SDKs call a protected server with nothing but a metadata document (RFC 9728, RFC 8707)."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import jwt
import pytest
from portico_contracts.apply import (
    ApiApp,
    ApiScope,
    AuthMethodName,
    ClientMetadataPolicy,
    Document,
    Email,
    EndUser,
    LoginPolicy,
    OidcApp,
    Organization,
    Password,
    Profile,
    Project,
)
from portico_harness.eventually import HANGS, eventually
from portico_oauth.grant_types import GrantTypeName
from portico_scenarios.metadata_host import HOST, MetadataHost
from portico_scenarios.second_factor_user import PASSWORD, SecondFactorUser, second_factor_user
from portico_scenarios.third_party_app import running
from portico_scenarios.world import World
from portico_stack.machine.ports import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.long]

HERE: Final = Path(__file__).parent
EXAMPLE: Final = HERE.parents[1] / "examples" / "mcp-server"
EXPLAINS: Final = EXAMPLE.with_name("mcp-explain")
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


def _owner(name: str, tag: str) -> EndUser:
    return EndUser(
        id=f"{name}-{tag}",
        username=f"{name}-{tag}",
        profile=Profile(first_name=name.title(), last_name="Owner"),
        email=Email(email=f"{name}-{tag}@mail.example.test", is_verified=True),
        password=Password(password=PASSWORD),
        roles=("ORG_OWNER",),
    )


def _explaining(tag: str, url: str) -> Document:
    """An organization with the API of the server, its application for the management API, and an owner; and another
    organization with an owner.
    """
    scope = ApiScope(scope="explain.read", title="Ask what you may read as an administrator")
    api = ApiApp(name="Explains", client_id=tag, client_secret=secrets.token_hex(20), resources=(url,), scopes=(scope,))
    reader = OidcApp(
        name="As you",
        client_id=f"reader-{tag}",
        auth_method_type=AuthMethodName.NONE,
        response_types=(),
        grant_types=(GrantTypeName.DEVICE_CODE,),
        management_access=True,
    )
    project = Project(id=f"p-{tag}", name="explains", api_apps=(api,), oidc_apps=(reader,))
    policy = ClientMetadataPolicy(hosts=(HOST,), project_id=project.id or "")
    org = Organization(
        id=f"org-{tag}", name=tag, projects=(project,), humans=(_owner("bo", tag),), client_metadata_policy=policy
    )
    other = Organization(id=f"other-{tag}", name=f"other {tag}", humans=(_owner("eve", tag),))
    return Document(login_policy=LoginPolicy(allow_device_authorization=True), organizations=(org, other))


@dataclass(frozen=True, slots=True)
class Explains:
    """The running server; `refused` is the request id of a refused request of its organization."""

    world: World
    url: str
    tag: str
    client_id: str
    python: Path
    refused: str

    async def answers(self, sdk: str, owner: str) -> tuple[list[str], str]:
        """The answers of the tools, and the token of the MCP client; the owner signs in for each of the two tokens."""
        program = (str(self.python), "mcp_python/client.py") if sdk == "python" else ("node", "node/mcp.mjs")
        tools = (
            "what_changed {}",
            'what_changed {"hours": 24}',
            'who_may {"permission": "OWNER"}',
            f"why_refused {json.dumps({'request_id': self.refused})}",
            "which_agents {}",
        )
        process = await asyncio.create_subprocess_exec(
            *program, self.url, self.client_id, CALLBACK, *tools, cwd=HERE,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env={"PATH": os.environ["PATH"]},
        )  # fmt: skip
        assert process.stdin
        assert process.stdout
        async with self.world.agent() as agent:
            await agent.sign_in(await _line(process.stdout, "OPEN "), f"{owner}-{self.tag}", PASSWORD)
            process.stdin.write(f"{(await agent.press('consent-allow')).location}\n".encode())
            asked = await _line(process.stdout, "RESULT ")
            page = await agent.open(asked.split(" ")[1].rstrip(","))
            if page.shows("device-submit"):
                await agent.press("device-submit")
            await agent.press("consent-allow")
        process.stdin.write(b"\n" * len(tools))
        answers = [asked, *[await _line(process.stdout, "RESULT ") for _ in tools[1:]]]
        token = await _line(process.stdout, "TOKEN ")
        assert await process.wait() == 0
        return answers, token


@pytest.fixture
async def explains(world: World, metadata_host: MetadataHost, python: Path, tmp_path: Path) -> AsyncIterator[Explains]:
    port, tag = free_port(), f"explain-{secrets.token_hex(4)}"
    url = f"http://localhost:{port}/mcp"
    await world.stack.apply(_explaining(tag, url))
    wrong = {"client_id": f"reader-{tag}", "response_type": "code", "redirect_uri": "https://wrong.example/cb"}
    refused = await world.http.get(world.metadata["authorization_endpoint"], params={**wrong, "scope": "openid"})
    assert refused.status_code == 400
    command = (str(python), "-m", "uvicorn", "--app-dir", str(EXPLAINS), "server:app", "--port", str(port))
    client_id = metadata_host.client(tag, "http://127.0.0.1/callback")
    settings = {"ISSUER": world.issuer, "RESOURCE": url, "READER": f"reader-{tag}"}
    async with running(command, tmp_path, f"http://localhost:{port}", settings):
        yield Explains(world, url, tag, client_id, python, refused.headers["x-request-id"])
    await world.stack.apply(Document(login_policy=LoginPolicy(), organizations=()))


@pytest.mark.parametrize("sdk", ["python", "typescript"])
async def test_server_explains_with_the_permissions_of_who_asks(explains: Explains, sdk: str) -> None:
    """The first question returns an address where the administrator signs in once, then changes, administrators, a
    refusal and agents are read as that user, and the token of the MCP client is refused by the management API.
    """
    (asked, changed, owners, refused, agents), token = await explains.answers(sdk, "bo")
    direct = await explains.world.http.post(
        f"{explains.world.issuer}/management/v1/events/_search", json={}, headers={"Authorization": f"Bearer {token}"}
    )

    assert asked.startswith(f"Open {explains.world.issuer}/")
    assert "Bo Owner" in changed
    assert owners == "- Bo Owner: ORG_OWNER"
    assert "redirect" in refused.lower()
    assert agents.startswith(f"- {explains.tag} for Bo Owner at Explains, since ")
    assert direct.status_code == 401


async def test_server_explains_nothing_of_another_organization(explains: Explains) -> None:
    """An owner of another organization reads its own changes, owners and agents, and no refusal of the first one."""
    (_, changed, owners, refused, agents), _ = await explains.answers("typescript", "eve")

    assert "Eve Owner" in changed
    assert "Bo Owner" not in changed
    assert owners == "- Eve Owner: ORG_OWNER"
    assert refused == "No diagnostics were recorded for this request. (USER-841)"
    assert "Bo Owner" not in agents


async def _line(stream: asyncio.StreamReader, prefix: str) -> str:
    async with asyncio.timeout(HANGS):
        while line := (await stream.readline()).decode():
            if line.startswith(prefix):
                return line.removeprefix(prefix).strip()
    raise AssertionError(f"no line {prefix}")
