"""An unregistered application signs a user in with its metadata document (decision 0095)."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_contracts.apply import ApiApp, ApiScope, ClientMetadataPolicy, Document, Organization, Project
from portico_contracts.http import DISCOVERY
from portico_harness.eventually import HANGS, eventually
from portico_scenarios.metadata_host import HOST, MetadataHost
from portico_scenarios.relying_party import Client, begin, redeem
from portico_scenarios.second_factor_user import PASSWORD, SecondFactorUser, second_factor_user
from portico_scenarios.world import World, code_in
from portico_stack.machine.ports import free_port

pytestmark = pytest.mark.e2e

READ = "files.read"
SECRET = "the secret of an API of files"
PORT = "http://127.0.0.1:50123/callback"


def organization(tag: str, *hosts: str) -> Document:
    api = ApiApp(
        name="Files",
        client_id=f"files-{tag}",
        client_secret=SECRET,
        resources=(f"https://{tag}.example",),
        scopes=(ApiScope(scope=READ, title="Read your files"),),
    )
    project = Project(id=f"p-{tag}", name="tools", api_apps=(api,))
    policy = ClientMetadataPolicy(hosts=hosts, project_id=f"p-{tag}" if hosts else "")
    return Document(
        organizations=(Organization(id=f"org-{tag}", name=tag, projects=(project,), client_metadata_policy=policy),)
    )


@pytest.fixture
async def tag(world: World) -> AsyncIterator[str]:
    """An organization that accepts documents of the host, while the test runs."""
    tag = f"tools-{secrets.token_hex(4)}"
    await world.stack.apply(organization(tag, HOST))
    yield tag
    await world.stack.apply(organization(tag))


@pytest.fixture
async def mia(world: World) -> SecondFactorUser:
    return await second_factor_user(world, "mia")


async def test_metadata_document_is_enough(
    world: World, metadata_host: MetadataHost, tag: str, mia: SecondFactorUser
) -> None:
    """Each time the user is asked; the token is for the API only, and ends with the policy."""
    client = Client(metadata_host.client(tag, "http://127.0.0.1/callback"), PORT, auth_method="none")
    begun = begin(world.metadata, client, scope=f"openid {READ}")
    async with world.agent() as agent:
        asked = await agent.sign_in(begun.url, mia.id, PASSWORD)
        code = code_in(await agent.press("consent-allow"))
        tokens = (await redeem(world.http, world.metadata, client, code, code_verifier=begun.verifier)).json()
        again = await agent.open(begin(world.metadata, client, scope=f"openid {READ}").url)
        foreign = await agent.open(begin(world.metadata, client, redirect_uri="http://127.0.0.1:50123/x").url)
    api = Client(f"files-{tag}", "", SECRET)

    async def offers() -> object:
        found = await world.http.get(world.issuer + DISCOVERY)
        return found.json().get("client_id_metadata_document_supported")

    await eventually(offers, True.__eq__, HANGS)

    async def seen() -> dict[str, Any]:
        found: dict[str, Any] = (await world.ask("introspection_endpoint", api, token=tokens["access_token"])).json()
        return found

    before = await seen()
    await world.stack.apply(organization(tag))

    assert asked.shows("consent-scopes")
    assert HOST in asked.response.text
    assert "Read your files" in asked.response.text
    assert before["scope"] == f"openid {READ}"
    assert set(before["aud"]) == {client.client_id, api.client_id, f"https://{tag}.example"}
    assert again.shows("consent-scopes")
    assert (foreign.status, foreign.returned) == (400, None)
    await eventually(seen, {"active": False}.__eq__, HANGS)
    async with world.agent() as stranger:
        assert (await stranger.open(begun.url)).status == 400


async def test_agent_on_a_free_port_of_localhost_signs_in(
    world: World, metadata_host: MetadataHost, tag: str, mia: SecondFactorUser
) -> None:
    """The document has both names of the machine without a port, as widespread agents write it (RFC 8252 section 7.3)."""
    listening = f"http://localhost:{free_port()}/callback"
    client_id = metadata_host.client(tag, "http://localhost/callback", "http://127.0.0.1/callback")
    client = Client(client_id, listening, auth_method="none")
    begun = begin(world.metadata, client, scope=f"openid {READ}", resource=f"https://{tag}.example")
    async with world.agent() as agent:
        asked = await agent.sign_in(begun.url, mia.id, PASSWORD)
        code = code_in(await agent.press("consent-allow"))
    tokens = (await redeem(world.http, world.metadata, client, code, code_verifier=begun.verifier)).json()

    assert listening.removeprefix("http://").removesuffix("/callback") in asked.response.text
    assert "access_token" in tokens


async def test_two_organizations_accept_one_host(
    world: World, metadata_host: MetadataHost, tag: str, mia: SecondFactorUser
) -> None:
    """The resource decides whose policy counts, and a request without one is refused with the reason (0112)."""
    younger = f"{tag}-younger"
    client = Client(metadata_host.client(tag, "http://127.0.0.1/callback"), PORT, auth_method="none")
    begun = begin(world.metadata, client, scope=READ, resource=f"https://{younger}.example")
    await world.stack.apply(organization(younger, HOST))
    try:
        async with world.agent() as agent:
            await agent.sign_in(begun.url, mia.id, PASSWORD)
            code = code_in(await agent.press("consent-allow"))
            unclear = await agent.open(begin(world.metadata, client, scope=f"openid {READ}").url)
        tokens = (await redeem(world.http, world.metadata, client, code, code_verifier=begun.verifier)).json()
        seen = {}
        for name in (tag, younger):
            api = Client(f"files-{name}", "", SECRET)
            answer = await world.ask("introspection_endpoint", api, token=tokens["access_token"])
            seen[name] = answer.json()["active"]
    finally:
        await world.stack.apply(organization(younger))

    assert seen == {tag: False, younger: True}
    assert (unclear.status, unclear.returned) == (400, None)
    assert "Several organizations" in unclear.response.text
