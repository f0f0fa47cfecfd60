"""Programs of other people read a claim of a claim rule (decision 0141)."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from portico_contracts.apply import (
    AccessTokenTypeName,
    ClaimFormatName,
    ClaimPlaceName,
    ClaimRule,
    ClaimSourceName,
    GrantTypeName,
    OidcApp,
    ResponseTypeName,
)
from portico_harness.plain_http import plain_http
from portico_scenarios import relying_party, third_party_app
from portico_scenarios.participants import ALICE, document_of_libraries
from portico_scenarios.relying_party import Client
from portico_scenarios.world import World, code_in
from portico_stack.machine.ports import free_port

pytestmark = pytest.mark.e2e

FOLDER: Final = Path(__file__).parent
PROJECT: Final = "e2e-libraries"
CLIENT: Final = Client("claim-reader", "http://localhost:9/cb", "e2e-secret-of-a-claim-reader")
TEAMS: Final = ["team-ops", "team-red"]
RULE: Final = ClaimRule(
    claim="teams",
    source=ClaimSourceName.FIXED,
    value=",".join(TEAMS),
    format=ClaimFormatName.LIST,
    places=tuple(ClaimPlaceName),
)

ROLE_ATTRIBUTE_PATH: Final = "contains(teams[*], 'team-ops') && 'Admin' || 'Viewer'"
POLICY: Final = "g, team-ops, role:admin\np, role:admin, applications, *, */*, allow"
"""What the guide to custom claims configures at Grafana and Argo CD."""


async def tokens_of(world: World) -> dict[str, Any]:
    app = OidcApp(
        name="Claim reader",
        client_id=CLIENT.client_id,
        client_secret=CLIENT.secret,
        redirect_uris=(CLIENT.redirect_uri,),
        response_types=(ResponseTypeName.CODE,),
        grant_types=(GrantTypeName.AUTHORIZATION_CODE,),
        access_token_type=AccessTokenTypeName.JWT,
        claim_rules=(RULE,),
        dev_mode=True,
    )
    await world.stack.apply(document_of_libraries(app))
    begun = relying_party.begin(world.metadata, CLIENT)
    async with world.agent() as agent:
        page = await agent.sign_in(begun.url, ALICE.login_name, ALICE.password)
    answer = await relying_party.redeem(world.http, world.metadata, CLIENT, code_in(page), code_verifier=begun.verifier)
    assert answer.status_code == 200, answer.text
    tokens: dict[str, Any] = answer.json()
    return tokens


async def test_oauth4webapi_reads_the_claim(world: World) -> None:
    """As a list, of a JWT access token and of userinfo."""
    token = (await tokens_of(world))["access_token"]
    settings = {"ISSUER": world.issuer, "CLIENT_ID": CLIENT.client_id, "AUDIENCE": PROJECT}
    output = await _output("node", FOLDER / "node" / "claims.mjs", token, ALICE.id, "teams", environment=settings)

    assert json.loads(output) == [TEAMS, TEAMS]


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("go"), reason="Go is not installed")
@pytest.mark.parametrize(
    ("path", "policy", "told"),
    [
        (ROLE_ATTRIBUTE_PATH, POLICY, ("Admin", "true")),
        (ROLE_ATTRIBUTE_PATH.replace("ops", "x"), POLICY.replace("ops", "x"), ("Viewer", "false")),
    ],
)
async def test_grafana_and_argo_cd_decide_by_the_claim(
    world: World, tmp_path: Path, path: str, policy: str, told: tuple[str, str]
) -> None:
    """By the expression of the guide in Grafana's JMESPath, and its policy in Argo CD's casbin; go-oidc verifies."""
    program = tmp_path / "claims"
    build = ("go", "build", "-mod=readonly", "-o", program, ".")
    await asyncio.to_thread(subprocess.run, build, cwd=FOLDER / "go_claims", check=True)
    token = (await tokens_of(world))["id_token"]
    settings = {"ISSUER": world.issuer, "CLIENT_ID": CLIENT.client_id}
    output = await _output(program, token, path, policy, "teams", environment=settings)

    assert output.splitlines() == [f"go-oidc {','.join(TEAMS)}", f"grafana {told[0]}", f"argocd {told[1]}"]


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("mvn"), reason="Maven is not installed")
async def test_spring_reads_the_claim(world: World, tmp_path: Path) -> None:
    """As a list of texts, with the lines of the guide for JWT access tokens."""
    token = (await tokens_of(world))["access_token"]
    project = tmp_path / "spring"
    await asyncio.to_thread(shutil.copytree, FOLDER / "spring", project)
    without, with_lines = (f"http://localhost:{free_port()}" for _ in range(2))
    ports = " ".join(url.rpartition(":")[2] for url in (without, with_lines))
    command = ("sh", "-c", f"mvn -q -B package && exec java -jar target/api.jar {ports}")
    settings = {"ISSUER": world.issuer, "PROJECT_ID": PROJECT}
    async with third_party_app.running(command, project, with_lines, settings), plain_http() as http:
        answer = await http.get(f"{with_lines}/teams", headers={"Authorization": f"Bearer {token}"})

    assert (answer.status_code, answer.text) == (200, ",".join(TEAMS))


async def _output(*command: str | Path, environment: Mapping[str, str]) -> str:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, **environment}, stdout=pipe, stderr=pipe
    )
    said, complained = await process.communicate()
    assert process.returncode == 0, complained.decode()
    return said.decode()
