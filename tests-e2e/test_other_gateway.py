"""Complete sign-ins through Caddy; all other scenarios use HAProxy, and both gateways have separate tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from portico_scenarios.administrator import administrator_of
from portico_scenarios.id_token import checked_claims
from portico_scenarios.participants import ALICE
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions

pytestmark = [pytest.mark.e2e, pytest.mark.long]

GET = "portico.user.v2.UserService.GetUserByID"
ADD = "portico.user.v2.UserService.AddHumanUser"


@pytest.fixture(scope="module")
async def behind_caddy(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    async with started(StackOptions(tmp_path_factory.mktemp("caddy"), port=0, gateway="caddy")) as one:
        yield one


async def test_user_signs_in_through_caddy(behind_caddy: World) -> None:
    """A password sign-in, its code's tokens, userinfo and a silent sign-in work through Caddy."""
    world = behind_caddy
    tokens = await world.tokens_of(ALICE, "basic")
    claims = await checked_claims(world.http, world.metadata, tokens["id_token"], "e2e-basic")
    userinfo = await world.http.get(
        world.metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {tokens['access_token']}"}
    )

    assert world.stack.layout.gateway.kind == "caddy"
    assert claims["iss"] == world.issuer
    assert userinfo.json()["sub"] == claims["sub"]


async def test_management_api_works_through_caddy(behind_caddy: World) -> None:
    """JSON, Connect, gRPC-web, and plain gRPC over HTTP/2 work through Caddy."""
    admin = await administrator_of(behind_caddy)
    user = admin.human("carol")
    created = await admin.grpc(ADD, user)
    asked = {"userId": user["userId"]}
    answers = [
        await admin.json(GET, asked, path=f"/v2/users/{user['userId']}"),
        await admin.connect(GET, asked),
        await admin.grpc_web(GET, asked),
        await admin.grpc(GET, asked),
    ]

    assert created.code == 0
    assert [answer.code for answer in answers] == [0, 0, 0, 0]
