"""Calls tools of a protected MCP server: prints the address to open, and reads the address that the browser returns to.

Each tool but the first waits for a line.
"""

from __future__ import annotations

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl


class Memory:
    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


async def show(url: str) -> None:
    sys.stdout.write(f"OPEN {url}\n")
    sys.stdout.flush()


async def returned() -> AuthorizationCodeResult:
    query = parse_qs(urlsplit((await asyncio.to_thread(sys.stdin.readline)).strip()).query)
    return AuthorizationCodeResult(code=query["code"][0], state=query["state"][0], iss=query["iss"][0])


async def main(server: str, client_id: str, redirect_uri: str, *tools: str) -> None:
    memory = Memory()
    auth = OAuthClientProvider(
        server_url=server,
        client_metadata=OAuthClientMetadata(redirect_uris=[AnyUrl(redirect_uri)], token_endpoint_auth_method="none"),
        storage=memory,
        redirect_handler=show,
        callback_handler=returned,
        client_metadata_url=client_id,
    )
    async with (
        httpx2.AsyncClient(auth=auth, trust_env=False, timeout=60) as http,
        Client(streamable_http_client(server, http_client=http)) as client,
    ):
        for number, tool in enumerate(tools or ("read_notes {}",)):
            if number:
                await asyncio.to_thread(sys.stdin.readline)
            name, _, arguments = tool.partition(" ")
            result = await client.call_tool(name, json.loads(arguments))
            text = result.content[0].text.replace("\n", " | ")
            sys.stdout.write(f"RESULT {text}\n")
            sys.stdout.flush()
    assert memory.tokens
    sys.stdout.write(f"TOKEN {memory.tokens.access_token}\n")
    sys.stdout.flush()


asyncio.run(main(*sys.argv[1:]))
