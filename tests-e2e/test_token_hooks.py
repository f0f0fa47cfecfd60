"""Token hooks over HTTP: what a receiver gives, or fails to give, in tokens through the gateway (decision 0149)."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import jwt
import pytest
from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.agent import Agent
from portico_scenarios.relying_party import Client, begin, redeem, userinfo
from portico_scenarios.serving import serving
from portico_scenarios.world import World, code_in
from standardwebhooks import Webhook
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

pytestmark = pytest.mark.e2e

PROJECTS = "portico.management.v1.ProjectService"
OF = "portico.management.v1.WebhookService"
TENANT = {place: {"tenant": "t-17"} for place in ("id_token", "access_token", "userinfo", "introspection")}
FAILED = "The token hook of the application failed."
LATE = 2.0
"""Seconds, of the 0.5 that a call has."""


@dataclass
class Receiver:
    """Verifies each call as receivers do, and answers by its path; `secrets` are by path."""

    address: str
    secrets: dict[str, str] = field(default_factory=dict)
    calls: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        path = request.url.path
        event = Webhook(self.secrets[path]).verify(await request.body(), dict(request.headers))
        self.calls.setdefault(path, []).append(event)
        behaviour = path.split("/")[1]
        if behaviour == "slow":
            await asyncio.sleep(LATE)  # allow fixed-wait: how late it answers
        if behaviour == "dying":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"400")]})
            await send({"type": "http.response.body", "body": b'{"id_token": {', "more_body": False})
            return
        answer: Response = JSONResponse(TENANT)
        if behaviour == "lying":
            answer = JSONResponse({"id_token": {"tenant": "t-17", "sub": "another user", "amr": ["hwk"]}})
        await answer(scope, receive, send)


@pytest.fixture(scope="module")
async def owner(world: World) -> Administrator:
    return await administrator_of(world, "ORG_OWNER")


@pytest.fixture(scope="module")
async def visitor(world: World, owner: Administrator) -> AsyncIterator[Agent]:
    """A browser with a session."""
    body = owner.human("visitor", organisation={"orgId": owner.org_id})
    added = await owner.json("portico.user.v2.UserService.AddHumanUser", body)
    assert added.code == 0, added.body
    person = owner.person("visitor")
    async with world.agent() as agent:
        await agent.sign_in(begin(world.metadata, world.clients["basic"]).url, person.login_name, person.password)
        yield agent


@dataclass(frozen=True)
class Hooked:
    """An application whose project has a hook."""

    world: World
    owner: Administrator
    client: Client
    path: str
    hook_id: str

    async def tokens(self, visitor: Agent) -> httpx.Response:
        begun = begin(self.world.metadata, self.client, scope="openid offline_access")
        code = code_in(await visitor.open(begun.url))
        return await redeem(self.world.http, self.world.metadata, self.client, code, code_verifier=begun.verifier)

    async def failures(self) -> list[str]:
        """The causes of failed calls, as administrators see them."""
        path = f"/management/v1/webhooks/{self.hook_id}/deliveries/_search"
        listed = await self.owner.json(f"{OF}.ListDeliveries", {}, path=path)
        assert listed.code == 0, listed.body
        return [one["attempts"][-1]["cause"] for one in listed.body.get("result", [])]


@pytest.fixture(scope="module")
async def receiver(hook_listener: socket.socket) -> AsyncIterator[Receiver]:
    host, port = hook_listener.getsockname()
    async with serving(found := Receiver(f"http://{host}:{port}"), hook_listener):
        yield found


async def hooked(world: World, owner: Administrator, receiver: Receiver, behaviour: str, on_failure: str) -> Hooked:
    """The hook is there before the application, which no service has cached then."""
    made = await owner.json(f"{PROJECTS}.AddProject", {"name": f"{behaviour} {on_failure}"})
    assert made.code == 0, made.body
    path = f"/{behaviour}/{on_failure}"
    body = {
        "name": path,
        "url": receiver.address + path,
        "eventTypes": ["token.issue"],
        "projectId": made.body["id"],
        "onFailure": f"ON_FAILURE_{on_failure}",
    }
    added = await owner.json(f"{OF}.AddWebhook", body)
    assert added.code == 0, added.body
    receiver.secrets[path] = added.body["secret"]
    jwts = {"accessTokenType": "OIDC_TOKEN_TYPE_JWT"}
    client = await owner.add_app(made.body["id"], "OIDC_GRANT_TYPE_REFRESH_TOKEN", **jwts)
    return Hooked(world, owner, client, path, added.body["id"])


async def test_receiver_adds_a_claim_in_every_place(
    world: World, owner: Administrator, receiver: Receiver, visitor: Agent
) -> None:
    """The call is signed for the receiver's library, and a refresh has the claim without a call (FD-05)."""
    one = await hooked(world, owner, receiver, "right", "CLOSED")
    first = (await one.tokens(visitor)).json()
    refreshed = await world.grant(one.client, "refresh_token", refresh_token=first["refresh_token"])
    for tokens in (first, refreshed):
        token = tokens["access_token"]
        answers = [
            claims_in(token),
            claims_in(tokens["id_token"]),
            (await userinfo(world.http, world.metadata, token)).json(),
            (await world.ask("introspection_endpoint", one.client, token=token)).json(),
        ]

        assert [found.get("tenant") for found in answers] == ["t-17"] * 4
        assert {found["sub"] for found in answers} == {f"visitor-{owner.tag}"}
    [event] = receiver.calls[one.path]
    assert event["type"] == "token.issue"
    assert event["data"]["userId"] == f"visitor-{owner.tag}"


@pytest.mark.parametrize(
    ("behaviour", "cause"), [("slow", "TimeoutError"), ("dying", "RemoteProtocolError"), ("lying", "reserved")]
)
async def test_failing_receiver_refuses_or_adds_nothing(
    world: World, owner: Administrator, receiver: Receiver, visitor: Agent, behaviour: str, cause: str
) -> None:
    """A closed hook refuses the tokens with its error, an open one adds nothing, and administrators see why (JW-20)."""
    closed = await hooked(world, owner, receiver, behaviour, "CLOSED")
    refused = await closed.tokens(visitor)
    opened = await hooked(world, owner, receiver, behaviour, "OPEN")
    issued = (await opened.tokens(visitor)).json()
    id_token = claims_in(issued["id_token"])

    assert refused.status_code == 503
    assert refused.json() == {"error": "server_error", "error_description": FAILED}
    assert id_token["sub"] == f"visitor-{owner.tag}"
    assert "tenant" not in id_token
    assert [len(receiver.calls[one.path]) for one in (closed, opened)] == [1, 1]
    assert [await one.failures() for one in (closed, opened)] == [[cause]] * 2


def claims_in(token: str) -> dict[str, Any]:
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return claims
