"""Third-party resource servers that check access tokens by introspection or locally.

Where Go or Maven are not installed, recorded requests are used.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import jwt
import pytest
from portico_harness.plain_http import plain_http
from portico_scenarios import third_party_app
from portico_scenarios.id_token import doubly_checked_claims
from portico_scenarios.participants import ALICE, PROJECT_ID
from portico_scenarios.programs import AUDIENCE, JWT_ROBOT, KEYED_API, ROBOT
from portico_scenarios.relying_party import ASSERTION_TYPE
from portico_scenarios.world import World
from portico_stack.machine.ports import free_port

pytestmark = pytest.mark.e2e

SPRING: Final = Path(__file__).parent / "spring"
HOUR: Final = 3600
AGAIN: Final = 6


async def test_identical_assertions_are_accepted(world: World) -> None:
    """Assertions with whole seconds and no jti, as recorded from zitadel/oidc, may be identical."""
    token = (await world.grant(ROBOT.client, "client_credentials", scope=AUDIENCE))["access_token"]

    assert set(await _recorded_introspections(world, token)) == {f"true {ROBOT.user_id}"}


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("go"), reason="Go is not installed")
async def test_zitadel_oidc_introspects_repeatedly(world: World, go_program: Path) -> None:
    """zitadel/oidc introspects several times a second, and each introspection is accepted."""
    key = KEYED_API.key
    assert key is not None
    token = (await world.grant(ROBOT.client, "client_credentials", scope=AUDIENCE))["access_token"]
    settings = {"CLIENT_ID": KEYED_API.client.client_id, "KEY": key.private_pem, "KID": key.kid}
    output = await _output(go_program, "introspect", token, environment={"ISSUER": world.issuer, **settings})

    assert set(output.splitlines()) == {f"true {ROBOT.user_id}"}


async def _recorded_introspections(world: World, token: str) -> list[str]:
    """Requests as sent by zitadel/oidc: one audience in an array, a lifetime of an hour, no jti."""
    assert KEYED_API.key is not None
    client_id, now = KEYED_API.client.client_id, int(time.time())
    assertion = KEYED_API.key.assertion(client_id, "", aud=[world.issuer], iat=now, exp=now + HOUR, jti=...)
    form = {"client_assertion": assertion, "client_assertion_type": ASSERTION_TYPE, "token": token}
    answers = []
    for _ in range(AGAIN):
        answer = (await world.http.post(world.metadata["introspection_endpoint"], data=form)).json()
        answers.append(f"{str(answer['active']).lower()} {answer['sub']}")
    return answers


async def test_assertion_with_two_audiences_redeems_a_code(world: World) -> None:
    """An assertion with both audiences and no jti or client_id redeems a code, as zitadel/oidc sends it (JW-09)."""
    client, now = world.clients["keyed"], int(time.time())
    assert client.key is not None
    audience = [world.issuer, world.metadata["token_endpoint"]]
    assertion = client.key.assertion(client.client_id, "", aud=audience, iat=now, exp=now + HOUR, jti=...)
    begun, code = await world.code_of(ALICE, "keyed")
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "code_verifier": begun.verifier,
        "redirect_uri": client.redirect_uri,
        "client_assertion": assertion,
        "client_assertion_type": ASSERTION_TYPE,
    }
    answer = await world.http.post(world.metadata["token_endpoint"], data=form)
    claims = await doubly_checked_claims(world.http, world.metadata, answer.json()["id_token"], client.client_id)

    assert answer.status_code == 200
    assert claims["sub"] == ALICE.id


@pytest.mark.long
async def test_spring_accepts_at_jwt_with_guide_configuration(world: World, tmp_path: Path) -> None:
    """Spring's resource server refuses the type at+jwt (RFC 9068 §2.1) unless it has the three lines of the guide."""
    token = (await world.grant(JWT_ROBOT.client, "client_credentials", scope=AUDIENCE))["access_token"]
    other = (await world.grant(JWT_ROBOT.client, "client_credentials", scope="openid"))["access_token"]
    answers = await _spring(world, tmp_path, token, other) if shutil.which("mvn") else RECORDED

    assert jwt.get_unverified_header(token)["typ"] == "at+jwt"
    assert PROJECT_ID in jwt.decode(token, options={"verify_signature": False})["aud"]
    assert answers == RECORDED


RECORDED: Final = [
    (401, "An error occurred while attempting to decode the Jwt: JOSE header typ (type) at+jwt not allowed"),
    (200, f"Hello {JWT_ROBOT.user_id}"),
    (401, "An error occurred while attempting to decode the Jwt: The aud claim is not valid"),
]
"""Responses of Spring Boot 3.5.7: without the lines, with them, and with them for a token of another API."""


async def _spring(world: World, folder: Path, token: str, other: str) -> list[tuple[int, str]]:
    project = folder / "spring"
    await asyncio.to_thread(shutil.copytree, SPRING, project)
    without, with_lines = (f"http://localhost:{free_port()}" for _ in range(2))
    ports = " ".join(url.rpartition(":")[2] for url in (without, with_lines))
    command = ("sh", "-c", f"mvn -q -B package && exec java -jar target/api.jar {ports}")
    settings = {"ISSUER": world.issuer, "PROJECT_ID": PROJECT_ID}
    async with third_party_app.running(command, project, with_lines, settings):
        return [
            await _called(without, token),
            await _called(with_lines, token),
            await _called(with_lines, other),
        ]


async def _called(url: str, token: str) -> tuple[int, str]:
    async with plain_http() as http:
        answer = await http.get(f"{url}/", headers={"Authorization": f"Bearer {token}"})
        told = re.search(r'error_description="([^"]*)"', answer.headers.get("www-authenticate", ""))
        return answer.status_code, told[1] if told else answer.text


async def _output(*command: str | Path, environment: Mapping[str, str]) -> str:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, **environment}, stdout=pipe, stderr=pipe
    )
    said, complained = await process.communicate()
    assert process.returncode == 0, complained.decode()
    return said.decode()
