"""The metadata documents that widespread agents publish, each with the request that it sends, through both gateways.

`agent_documents.json` has their facts as of November 2026. The documents are served by a host of the test, whose
address replaces that of the publisher.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from portico_contracts.apply import ApiApp, ApiScope, ClientMetadataPolicy, Document, Organization, Project
from portico_harness.key_pairs import key_pair
from portico_harness.rows import row
from portico_scenarios.metadata_host import HOST, MetadataHost
from portico_scenarios.relying_party import Client, begin, redeem
from portico_scenarios.second_factor_user import PASSWORD, second_factor_user
from portico_scenarios.world import World, code_in, started
from portico_stack.assembly.layout import StackOptions

pytestmark = [pytest.mark.e2e, pytest.mark.long]

AGENTS: Final[list[dict[str, Any]]] = json.loads((Path(__file__).parent / "agent_documents.json").read_text())
KEY: Final = key_pair("agents", "RS256")


@pytest.fixture(scope="module", params=["haproxy", "caddy"])
async def gateway(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, metadata_host: MetadataHost
) -> AsyncIterator[World]:
    """A stack behind each gateway, which may fetch the documents."""
    options = StackOptions(
        tmp_path_factory.mktemp(request.param),
        port=0,
        gateway=request.param,
        extra_env={"users": dict(metadata_host.environment)},
    )
    async with started(options) as one:
        yield one


def published(host: MetadataHost, agent: dict[str, Any]) -> tuple[Client, list[str]]:
    """Publishes the document; returns the client and the redirect URIs that it may not send."""
    origin = urlsplit(agent["document"]["client_id"])
    theirs = f"{origin.scheme}://{origin.netloc}"

    def moved(value: str) -> str:
        return value.replace(theirs, host.url) if value == theirs or value.startswith(f"{theirs}/") else value

    document: dict[str, Any] = {
        name: [moved(one) for one in value] if isinstance(value, list) else moved(value)
        for name, value in agent["document"].items()
    }
    host.documents[urlsplit(document["client_id"]).path] = json.dumps(document).encode()
    if "jwks_uri" in document:
        key = {**KEY.private.as_dict(private=False), "kid": KEY.kid, "use": "sig", "alg": KEY.alg}
        host.documents[urlsplit(document["jwks_uri"]).path] = json.dumps({"keys": [key]}).encode()
    method = document["token_endpoint_auth_method"]
    client = Client(document["client_id"], moved(agent["sends"]), auth_method=method, key=KEY)
    return client, [moved(uri) for uri in agent["refused"]]


async def test_agents_sign_in_as_they_are(gateway: World, metadata_host: MetadataHost) -> None:
    """Each sends `resource` and PKCE, the user is asked with its host, and its token is for the API alone; redirect URIs
    with another path, host, user information or scheme are answered on a page, never by a redirect.
    """
    tag = f"agents-{secrets.token_hex(4)}"
    resource, scope = f"https://{tag}.example/mcp", ApiScope(scope="notes.read", title="Read your notes")
    api = ApiApp(
        name="Notes", client_id=tag, client_secret=secrets.token_hex(20), resources=(resource,), scopes=(scope,)
    )
    project = Project(id=f"p-{tag}", name="notes", api_apps=(api,))
    policy = ClientMetadataPolicy(hosts=(HOST,), project_id=project.id or "")
    await gateway.stack.apply(
        Document(
            organizations=(Organization(id=f"org-{tag}", name=tag, projects=(project,), client_metadata_policy=policy),)
        )
    )
    mia = await second_factor_user(gateway, "mia")
    asked = {"scope": "notes.read offline_access", "resource": resource, "nonce": None}
    for agent in AGENTS:
        with row(agent["name"]):
            client, refused = published(metadata_host, agent)
            begun = begin(gateway.metadata, client, **asked)
            async with gateway.agent() as browser:
                shown = await browser.sign_in(begun.url, mia.id, PASSWORD)
                code = code_in(await browser.press("consent-allow"))
                answer = await redeem(
                    gateway.http, gateway.metadata, client, code, code_verifier=begun.verifier, resource=resource
                )
                pages = [
                    await browser.open(begin(gateway.metadata, client, redirect_uri=uri, **asked).url)
                    for uri in refused
                ]

            assert HOST in shown.response.text
            assert answer.status_code == 200, answer.text
            assert answer.json()["scope"].split()[0] == "notes.read"
            assert [(page.status, page.returned) for page in pages] == [(400, None)] * 4
