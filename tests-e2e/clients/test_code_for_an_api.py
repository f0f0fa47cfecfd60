"""The finished code of an application, unchanged, gets access tokens for the API that was chosen for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Page
from portico_harness.portico_command import portico
from portico_scenarios.page_clients import PageClient, sign_in
from portico_scenarios.participants import ALICE, LIBRARIES, document_of_libraries
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]

STORED_TOKEN: Final = """() => Object.values(sessionStorage).map((text) => { try { return JSON.parse(text) } catch { return {} } })
    .find((entry) => entry?.access_token).access_token"""


async def introspected(world: World, token: str, client_id: str, secret: str) -> dict[str, Any]:
    found = await world.http.post(
        world.metadata["introspection_endpoint"], data={"token": token}, auth=(client_id, secret)
    )
    claims: dict[str, Any] = found.json()
    return claims


@pytest.mark.parametrize("named", [False, True], ids=["scopes", "resource"])
async def test_finished_code_gets_a_token_of_the_api(tab: Page, world: World, tmp_path: Path, *, named: bool) -> None:
    """By its scopes alone the token is also for userinfo; with its resource it is for the API alone (RFC 8707)."""
    name = f"goods-{'named' if named else 'plain'}"
    resource = f"https://{name}.example"
    await world.stack.apply(document_of_libraries())
    added = await portico(
        "app", "add-api", name, "--organization", "E2E", "--project", LIBRARIES, "--scope", f"{name}.read",
        "--resource", resource, "--data", world.stack.options.data,
    )  # fmt: skip
    client_id, secret = (
        re.search(rf"^{row}  +(\S+)", added.output, re.MULTILINE) for row in ("Client id", "Client secret")
    )
    assert client_id and secret, added.output  # noqa: PT018
    code = PageClient("react.jsx", "react-oidc-context", scope=f"{name}.read", resource=resource if named else "")
    greeting = await sign_in(world, tab, code, tmp_path)
    claims = await introspected(world, await tab.evaluate(STORED_TOKEN), client_id[1], secret[1])

    assert greeting == "Hello Alice Liddell"
    assert (claims["active"], claims["sub"], resource in claims["aud"]) == (True, ALICE.id, True)
    assert claims["scope"].split()[-1] == f"{name}.read"
    assert ("openid" in claims["scope"].split()) is not named
