"""The code that `portico app` prints for an API accepts bound tokens only with a proof of their key (RFC 9449)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from portico_contracts.apply import AccessTokenTypeName, DpopName, OidcApp
from portico_fakes.dpop_proofs import Prover
from portico_harness.plain_http import plain_http
from portico_scenarios import relying_party, third_party_app
from portico_scenarios.participants import ALICE, document_of_libraries
from portico_scenarios.relying_party import Client
from portico_scenarios.world import World, code_in
from portico_stack.machine.ports import free_port

from .test_api_code import NODE, RUN, add_api

pytestmark = pytest.mark.e2e

BOUND_SHOP = Client("e2e-bound-shop", "http://localhost:9/cb", f"e2e-secret-{'b' * 24}")


async def bound_token(world: World, prover: Prover, scope: str, kind: AccessTokenTypeName) -> str:
    app = OidcApp(
        name="bound shop",
        client_id=BOUND_SHOP.client_id,
        client_secret=BOUND_SHOP.secret,
        redirect_uris=(BOUND_SHOP.redirect_uri,),
        access_token_type=kind,
        dpop=DpopName.REQUIRED,
    )
    await world.stack.apply(document_of_libraries(app))
    begun = relying_party.begin(world.metadata, BOUND_SHOP, scope=f"openid {scope}")
    async with world.agent() as agent:
        code = code_in(await agent.sign_in(begun.url, ALICE.login_name, ALICE.password))
    url = world.metadata["token_endpoint"]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": BOUND_SHOP.redirect_uri}
    answer = await world.http.post(
        url,
        data={**form, "code_verifier": begun.verifier},
        auth=(BOUND_SHOP.client_id, BOUND_SHOP.secret),
        headers=prover.headers(url),
    )
    assert answer.json()["token_type"] == "DPoP", answer.text
    return str(answer.json()["access_token"])


@pytest.mark.parametrize("kind", list(AccessTokenTypeName))
@pytest.mark.parametrize("framework", ["fastapi", "express"])
async def test_printed_api_checks_proofs(
    world: World, tmp_path: Path, framework: str, kind: AccessTokenTypeName
) -> None:
    """With a proof, with the same again, with one of another key, without one, and as a bearer token."""
    secret, scope = await add_api(world, framework, tmp_path, f"bound-{kind.rpartition('_')[2].lower()}")
    if framework == "express":
        (tmp_path / "node_modules").symlink_to(NODE / "node_modules")
    prover = Prover("", time.time())
    token = await bound_token(world, prover, f"{scope}.read", kind)
    url = f"http://localhost:{free_port()}"
    sent = prover.headers(f"{url}/items", method="GET", token=token)
    tries = (
        sent,
        sent,
        Prover("", time.time()).headers(f"{url}/items", method="GET", token=token),
        prover.headers(f"{url}/items", method="POST", token=token),
        {"Authorization": f"DPoP {token}"},
        {"Authorization": f"Bearer {token}"},
        prover.headers(f"{url}/items", method="GET", token=token),
    )
    environment = {"CLIENT_SECRET": secret, "PORT": url.rpartition(":")[2]}
    async with third_party_app.running(RUN[framework], tmp_path, url, environment), plain_http() as http:
        answers = [await http.get(f"{url}/items", headers=headers) for headers in tries]

    assert [one.status_code for one in answers] == [200, 401, 401, 401, 401, 401, 200]
    assert answers[0].json() == {"sub": ALICE.id, "client_id": BOUND_SHOP.client_id}
    challenges = [one.headers["www-authenticate"].partition(",")[0] for one in answers[1:6]]
    assert challenges == ['DPoP algs="RS256 ES256 EdDSA"'] * 4 + ['Bearer error="invalid_token"']
