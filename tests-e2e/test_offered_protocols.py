"""Clients that offer an HTTP/2 upgrade over plain HTTP, as curl can and Java's HttpClient does by default."""

from __future__ import annotations

import json
import secrets
from typing import Final
from urllib.parse import urlencode, urlsplit

import pytest
from portico_scenarios.administrator import Administrator
from portico_scenarios.offering_clients import RECORDED, Answered, Asked, by_bytes, by_curl, by_java
from portico_scenarios.participants import ALICE
from portico_scenarios.programs import API, AUDIENCE, ROBOT
from portico_scenarios.relying_party import Client, basic
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

FORM: Final = "application/x-www-form-urlencoded"
SERVICES: Final = {"management": "users"}
"""Responsible services other than token."""


@pytest.fixture(scope="module")
async def tokens(world: World) -> dict[str, str]:
    program = await world.grant(ROBOT.client, "client_credentials", scope=AUDIENCE)
    person = await world.tokens_of(ALICE, "basic")
    return {"program": program["access_token"], "person": person["access_token"]}


def _requests(world: World, admin: Administrator, tokens: dict[str, str]) -> dict[str, Asked]:
    def form(endpoint: str, client: Client | None, **fields: str) -> Asked:
        headers = {"Content-Type": FORM}
        headers |= {"Authorization": basic(client.client_id, client.secret)} if client else {}
        return Asked("POST", world.metadata[endpoint], urlencode(fields), headers)

    human = json.dumps(admin.human(f"offered-{secrets.token_hex(4)}"))
    return {
        "token": form("token_endpoint", ROBOT.client, grant_type="client_credentials", scope=AUDIENCE),
        "introspect": form("introspection_endpoint", API.client, token=tokens["program"]),
        "revoke": form("revocation_endpoint", API.client, token="unknown"),
        "userinfo": form("userinfo_endpoint", None, access_token=tokens["person"]),
        "userinfo without a body": Asked(
            "GET", world.metadata["userinfo_endpoint"], "", {"Authorization": f"Bearer {tokens['person']}"}
        ),
        "management": Asked(
            "POST", f"{world.issuer}/v2/users/human", human, {"Content-Type": "application/json", **admin.headers}
        ),
    }


def _as_without_the_offer(answers: dict[str, Answered]) -> None:
    assert {name: answer.status for name, answer in answers.items()} == dict.fromkeys(answers, 200)
    assert b'"access_token"' in answers["token"].body
    assert json.loads(answers["introspect"].body)["active"] is True
    assert answers["revoke"].body == b""
    assert json.loads(answers["userinfo"].body)["sub"] == ALICE.id
    assert json.loads(answers["userinfo without a body"].body)["sub"] == ALICE.id
    assert json.loads(answers["management"].body)["userId"].startswith("offered-")


@pytest.mark.parametrize("recorded", RECORDED)
@pytest.mark.parametrize("at", ["gateway", "service"])
async def test_recorded_upgrade_requests_keep_their_bodies(
    world: World, admin: Administrator, tokens: dict[str, str], recorded: str, at: str
) -> None:
    """Gateway and services respond as if HTTP/2 had not been offered (RFC 9110, 7.8)."""
    answers = {}
    for name, asked in _requests(world, admin, tokens).items():
        replica = world.stack.replicas_of(SERVICES.get(name, "token"))[0]
        answers[name] = await by_bytes(asked, recorded, replica.port if at == "service" else None)

    _as_without_the_offer(answers)


async def test_grpc_port_ignores_an_upgrade_over_http_1(
    world: World, admin: Administrator, tokens: dict[str, str]
) -> None:
    """Over HTTP/1.1 the gRPC port reads the body as the HTTP port does, because gRPC needs prior knowledge."""
    asked = _requests(world, admin, tokens)["management"]
    answer = await by_bytes(asked, "Java", world.stack.replicas_of("users")[0].grpc_port)

    assert answer.status == 200
    assert b"offered-" in answer.body
    assert (await admin.grpc("portico.user.v2.UserService.GetUserByID", {"userId": ALICE.id})).code == 0


async def test_curl_with_http_2_upgrade_is_answered(world: World, admin: Administrator, tokens: dict[str, str]) -> None:
    """The program curl with ``--http2`` over plain HTTP works at the endpoints of token and users."""
    asked = _requests(world, admin, tokens)

    _as_without_the_offer({name: await by_curl(one) for name, one in asked.items()})
    assert urlsplit(world.issuer).scheme == "http"


@pytest.mark.long
async def test_java_http_client_is_answered(world: World, admin: Administrator, tokens: dict[str, str]) -> None:
    """Java's HttpClient, or its recorded requests where there is no JDK, is answered."""
    asked = _requests(world, admin, tokens)

    _as_without_the_offer(dict(zip(asked, await by_java(list(asked.values())), strict=True)))
