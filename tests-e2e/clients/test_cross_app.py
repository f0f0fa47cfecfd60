"""The MCP SDK for TypeScript requests identity assertions at the token endpoint (decision 0153)."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import jwt
import pytest
from portico_contracts.http import TOKEN
from portico_contracts.users import AssertionRefusal, AssertionRequested
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import SECRET, USER, TokenService, token_service_in_memory
from portico_oauth.grant_types import AUTHORIZATION_CODE, TOKEN_EXCHANGE
from portico_oauth.jose import SigningKey
from portico_runtime.process.clock import SystemClock
from uvicorn import Config, Server

HERE: Final = Path(__file__).parent
CHAT: Final = "https://auth.chat.example"
MCP: Final = "https://mcp.chat.example"
GIVEN: Final = AssertionRequested(audience=CHAT, client_id="assistant-there", resources=(MCP,), scope=("chat.read",))


@pytest.fixture
async def service() -> AsyncIterator[TokenService]:
    clock, keys = SystemClock(), tuple(SigningKey.generate(f"{alg}-1", alg) for alg in ("RS256", "ES256", "EdDSA"))
    service = token_service_in_memory(clock, MemoryBus(), MemoryGrants(clock=clock), keys)
    service.register("assistant", grant_types=(AUTHORIZATION_CODE, TOKEN_EXCHANGE))
    async with service.running():
        yield service


@pytest.fixture
async def endpoint(service: TokenService) -> AsyncIterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = Server(Config(service.app, log_level="error", lifespan="off"))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    yield f"http://localhost:{listener.getsockname()[1]}{TOKEN}"
    server.should_exit = True
    await serving


async def ask(endpoint: str, id_token: str) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        "node", "node/cross_app.mjs", endpoint, CHAT, MCP, "assistant", "chat.read chat.write",
        cwd=HERE,
        stdout=asyncio.subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "ID_TOKEN": id_token, "CLIENT_SECRET": SECRET},
    )  # fmt: skip
    shown, _ = await process.communicate()
    found: dict[str, Any] = json.loads(shown)
    return found


async def test_sdk_gets_an_assertion_by_the_rule(service: TokenService, endpoint: str) -> None:
    """It sends the secret in the body, and addresses as its URL parser writes them; refusals arrive with their error."""
    code = service.issue_code("assistant", scope=("openid",))
    id_token = (await service.redeem(code, "assistant")).json()["id_token"]
    found = []
    for answer in (AssertionRefusal.NOT_OFFERED, None, AssertionRefusal.USER, AssertionRefusal.AUDIENCE):
        service.users.assertion = AssertionRequested(refusal=answer) if answer else GIVEN
        found.append(await ask(endpoint, id_token))
    off, given, *refused = found
    asked = service.users.assertions_asked[-1]
    claims = jwt.decode(given["jwtAuthGrant"], options={"verify_signature": False})

    assert off["error"].startswith("Token exchange failed: invalid_request")
    assert (given["expiresIn"], given["scope"]) == (300, "chat.read")
    assert jwt.get_unverified_header(given["jwtAuthGrant"])["typ"] == "oauth-id-jag+jwt"
    assert (claims["sub"], claims["aud"], claims["client_id"]) == (USER, CHAT, "assistant-there")
    assert (asked.audience, asked.resources) == (f"{CHAT}/", (f"{MCP}/",))
    assert [one["error"].split(" - ")[0] for one in refused] == [
        "Token exchange failed: invalid_grant",
        "Token exchange failed: invalid_target",
    ]
