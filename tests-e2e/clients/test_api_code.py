"""The code that `portico app` prints for an API runs unchanged, and checks access tokens, their scopes and their keys."""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import jwt
import pytest
from portico_contracts.apply import AccessTokenTypeName, DpopName, OidcApp
from portico_fakes.dpop_proofs import Prover
from portico_harness.plain_http import plain_http
from portico_harness.portico_command import portico
from portico_scenarios import relying_party, third_party_app
from portico_scenarios.participants import ALICE, LIBRARIES, document_of_libraries
from portico_scenarios.programs import AUDIENCE, JWT_ROBOT, ROBOT
from portico_scenarios.relying_party import Client
from portico_scenarios.world import World, code_in
from portico_stack.machine.ports import free_port

pytestmark = pytest.mark.e2e

NODE: Final = Path(__file__).parent / "node"
SHOP: Final = Client("e2e-shop-of-apis", "http://localhost:9/cb", f"e2e-secret-{'w' * 24}")
BOUND_SHOP = Client("e2e-bound-shop", "http://localhost:9/cb", f"e2e-secret-{'b' * 24}")
RUN: Final[dict[str, tuple[str | Path, ...]]] = {
    "fastapi": (sys.executable, "api.py"),
    "express": ("node", "api.mjs"),
    **({"go": ("sh", "-c", "go mod tidy && go build -o api . && exec ./api")} if shutil.which("go") else {}),
    **({"spring": ("sh", "-c", "mvn -q -B package && exec java -jar target/api.jar")} if shutil.which("mvn") else {}),
}
"""How to start the code of each framework: its library is installed or can be built."""

SHORT: Final = ("fastapi", "express")
"""They also accept opaque tokens; the others belong to `make test-all`."""


async def add_api(world: World, framework: str, folder: Path, name: str = "items") -> tuple[str, str]:
    """Registers the API, and an application of its project; returns the API's secret and its scopes' common part."""
    app = OidcApp(
        name="shop of APIs",
        client_id=SHOP.client_id,
        client_secret=SHOP.secret,
        redirect_uris=(SHOP.redirect_uri,),
        access_token_type=AccessTokenTypeName.JWT,
    )
    await world.stack.apply(document_of_libraries(app))
    scope = framework if name == "items" else f"{name}.{framework}"
    added = await portico(
        "app", "add-api", f"{name} {framework}", "--organization", "E2E", "--project", LIBRARIES,
        "--scope", f"{scope}.read", "--scope", f"{scope}.write", "--resource", f"https://{scope}.example",
        "--framework", framework, "--output", folder, "--data", world.stack.options.data,
    )  # fmt: skip
    found = re.search(r"^Client secret  (\S+)", added.output, re.MULTILINE)
    assert found, added.output
    return found[1], scope


async def token_of_alice(world: World, scope: str, resource: str) -> str:
    begun = relying_party.begin(world.metadata, SHOP, scope=f"openid {scope}", resource=resource)
    async with world.agent() as agent:
        code = code_in(await agent.sign_in(begun.url, ALICE.login_name, ALICE.password))
    redeemed = await relying_party.redeem(world.http, world.metadata, SHOP, code, code_verifier=begun.verifier)
    return str(redeemed.json()["access_token"])


async def called(url: str, method: str, token: str = "") -> tuple[int, str, Any]:
    headers: Mapping[str, str] = {"Authorization": f"Bearer {token}"} if token else {}
    async with plain_http() as http:
        answer = await http.request(method, f"{url}/items", headers=headers)
        caller = answer.json() if answer.status_code == 200 else None
        return answer.status_code, answer.headers.get("www-authenticate", ""), caller


@pytest.mark.parametrize(
    "framework", [pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in RUN]
)
async def test_printed_api_requires_its_scopes(world: World, tmp_path: Path, framework: str) -> None:
    """Tokens need the scope of the route, those of other APIs get 401, and a named resource is the audience (RFC 8707)."""
    secret, scope = await add_api(world, framework, tmp_path)
    if framework == "express":
        (tmp_path / "node_modules").symlink_to(NODE / "node_modules")
    of_alice = await token_of_alice(world, f"{scope}.read", f"https://{scope}.example/")
    of_robot, of_another, opaque = [
        (await world.grant(program.client, "client_credentials", scope=words))["access_token"]
        for program, words in (
            (JWT_ROBOT, f"{scope}.read {scope}.write"), (JWT_ROBOT, AUDIENCE), (ROBOT, f"{scope}.read"),
        )
    ]  # fmt: skip
    port = free_port()
    url = f"http://localhost:{port}"
    environment = {"CLIENT_SECRET": secret, "PORT": str(port)}
    async with third_party_app.running(RUN[framework], tmp_path, url, environment):
        answers = await asyncio.gather(
            called(url, "GET", of_alice),
            called(url, "POST", of_alice),
            called(url, "POST", of_robot),
            called(url, "GET", opaque),
            called(url, "POST", opaque),
        )
        refused = [await called(url, "GET", token) for token in (of_another, f"{of_alice}x", "a.b.c", "abc")]
        without = [await called(url, method) for method in ("GET", "POST")]

    claims = jwt.decode(of_alice, options={"verify_signature": False})
    needs_write = (403, f'Bearer error="insufficient_scope", scope="{scope}.write"', None)
    assert (len(claims["aud"]), claims["aud"][0], claims["scope"]) == (2, f"https://{scope}.example", f"{scope}.read")
    robot = {"sub": ROBOT.user_id, "client_id": ROBOT.user_id}
    assert list(answers[:3]) == [
        (200, "", {"sub": ALICE.id, "client_id": SHOP.client_id}),
        needs_write,
        (200, "", {"sub": JWT_ROBOT.user_id, "client_id": JWT_ROBOT.user_id}),
    ]
    if framework in SHORT:
        assert list(answers[3:]) == [(200, "", robot), needs_write]
    else:
        assert [status for status, _, _ in answers[3:]] == [401, 401]
    assert [status for status, _, _ in refused] == [401] * len(refused)
    assert all('error="invalid_token"' in challenge for _, challenge, _ in refused)
    assert without == [(401, "Bearer", None)] * 2


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


JWT, OPAQUE = AccessTokenTypeName.JWT, AccessTokenTypeName.BEARER
CASES = [
    *((name, kind) for name in SHORT for kind in (JWT, OPAQUE)),
    *(pytest.param(name, JWT, marks=pytest.mark.long) for name in ("spring",) if name in RUN),
]


@pytest.mark.parametrize(("framework", "kind"), CASES)
async def test_printed_api_checks_proofs(
    world: World, tmp_path: Path, framework: str, kind: AccessTokenTypeName
) -> None:
    """With a proof, with the same again, with one of another key, for another method, without one, as a bearer token, and
    for another spelling of the URL.
    """
    secret, scope = await add_api(world, framework, tmp_path, f"bound-{kind.rpartition('_')[2].lower()}")
    if framework == "express":
        (tmp_path / "node_modules").symlink_to(NODE / "node_modules")
    url = f"http://localhost:{free_port()}"
    spelled = f"{url.replace('localhost', 'LOCALHOST')}/items?a=b#c"
    last = spelled if framework in SHORT else f"{url}/items"  # Spring Security compares URLs as text
    environment = {"CLIENT_SECRET": secret, "PORT": url.rpartition(":")[2]}
    async with third_party_app.running(RUN[framework], tmp_path, url, environment), plain_http() as http:
        prover = Prover("", time.time())  # not before: a proof is valid for a minute, and building Spring takes longer
        token = await bound_token(world, prover, f"{scope}.read", kind)
        sent = prover.headers(f"{url}/items", method="GET", token=token)
        tries = (
            sent,
            sent,
            Prover("", time.time()).headers(f"{url}/items", method="GET", token=token),
            prover.headers(f"{url}/items", method="POST", token=token),
            {"Authorization": f"DPoP {token}"},
            {"Authorization": f"Bearer {token}"},
            prover.headers(last, method="GET", token=token),
        )
        answers = [await http.get(f"{url}/items", headers=headers) for headers in tries]

    assert [one.status_code for one in answers] == [200, 401, 401, 401, 401, 401, 200]
    assert answers[0].json() == {"sub": ALICE.id, "client_id": BOUND_SHOP.client_id}
    assert [one.headers["www-authenticate"].partition(" ")[0] for one in answers[1:5]] == ["DPoP"] * 4
