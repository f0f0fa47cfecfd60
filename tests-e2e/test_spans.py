"""With tracing enabled, a collector receives each request as one trace across gateway, services, bus and stores,
without secrets.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from portico_harness.collector import CollectedSpan, Collector
from portico_harness.eventually import eventually
from portico_scenarios.administrator import administrator_of
from portico_scenarios.federated import Federated
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e


@dataclass(frozen=True)
class Traced:
    world: World
    collector: Collector

    def spans_of(self, request_id: str) -> list[CollectedSpan]:
        spans = list(self.collector.spans)
        traces = {span.trace for span in spans if span.attributes.get("portico.request_id") == request_id}
        return [span for span in spans if span.trace in traces]

    async def wait_for(self, request_id: str, *ways: str) -> None:
        """Waits until a request's trace has these paths (see `ways_of`), because services export at different times."""

        async def found() -> set[str]:
            return ways_of(self.spans_of(request_id))

        await eventually(found, lambda found: found.issuperset(ways))


@dataclass
class Seen:
    """The provider's responses to a client.

    Attributes:
        ids: the request ids by method and path; the last one of repeated requests.
    """

    ids: dict[str, str] = field(default_factory=dict)

    def watch(self, http: httpx.AsyncClient) -> None:
        async def note(response: httpx.Response) -> None:
            sent = response.request
            self.ids[f"{sent.method} {sent.url.path}"] = response.headers["x-request-id"]

        http.event_hooks = {**http.event_hooks, "response": [*http.event_hooks["response"], note]}


SignedIn = tuple[Seen, dict[str, str]]
"""The responses of a sign-in, and its secrets by kind."""


@pytest.fixture(scope="module")
async def traced(federated: Federated) -> Traced:
    return Traced(federated.world, federated.collector)


@pytest.fixture(scope="module")
async def signed_in(traced: Traced) -> SignedIn:
    return await sign_in(traced)


def ways_of(spans: list[CollectedSpan]) -> set[str]:
    """Returns the path from the root to each span, as services and names; omits spans with missing ancestors."""
    by_id = {span.id: span for span in spans}

    def way(span: CollectedSpan) -> str:
        own = f"{span.service.removeprefix('portico-')} {span.name}"
        if not span.parent:
            return own
        before = way(by_id[span.parent]) if span.parent in by_id else ""
        return f"{before} > {own}" if before else ""

    return {way(span) for span in spans} - {""}


async def sign_in(traced: Traced) -> SignedIn:
    world, seen = traced.world, Seen()
    begun = begin(world.metadata, world.clients["offline"], scope="openid offline_access")
    async with world.agent() as agent:
        seen.watch(agent.http)
        await agent.open(begun.url)
        await agent.press("loginname-submit", loginname=ALICE.login_name)
        code = code_in(await agent.press("password-submit", password=ALICE.password))
        handle = next(iter(agent.http.cookies.jar)).value or ""
    response = await world.redeem("offline", code, code_verifier=begun.verifier)
    tokens = response.json()
    seen.ids["token"] = response.headers["x-request-id"]
    introspected = await world.ask("introspection_endpoint", world.clients["offline"], token=tokens["access_token"])
    seen.ids["introspection"] = introspected.headers["x-request-id"]
    return seen, {
        "code": code,
        "verifier": begun.verifier,
        "state": parse_qs(urlsplit(begun.url).query)["state"][0],
        "handle": handle,
        "password": ALICE.password,
        "login name": ALICE.login_name,
        "client secret": world.clients["offline"].secret,
        "refresh token": tokens["refresh_token"],
        "signature": tokens["access_token"].rpartition(".")[2],
        "id token": tokens["id_token"].rpartition(".")[2],
    }


SUBMITTED = "gateway gateway > login-ui POST /ui/login > login-ui POST > authz POST /login/v1/requests/{id}/answer"
VERIFIED = f"{SUBMITTED} > authz users.v1.password.verify > users users.v1.password.verify"
TOKEN = "gateway gateway > token POST /oauth/v2/token"
REDEEMED = f"{TOKEN} > token authz.v1.code.redeem > authz authz.v1.code.redeem"


async def test_password_check_is_one_trace(traced: Traced, signed_in: SignedIn) -> None:
    """Gateway, login pages, authz, users, MongoDB, Redis and events are in one trace, each a child of its caller."""
    seen, _ = signed_in

    await traced.wait_for(
        seen.ids["POST /ui/login"],
        f"{VERIFIED} > users find passwords",
        f"{SUBMITTED} > authz EVALSHA",
        f"{SUBMITTED} > authz events.v1.login.succeeded",
    )


async def test_code_redemption_is_one_trace(traced: Traced, signed_in: SignedIn) -> None:
    """The token endpoint's redemption at authz and the stored grant in Redis are in one trace."""
    seen, _ = signed_in

    await traced.wait_for(seen.ids["token"], f"{REDEEMED} > authz EVALSHA", f"{TOKEN} > token EVALSHA")


async def test_management_span_is_named_by_its_method(traced: Traced) -> None:
    """Span names are the method's path for RPC and the path template for REST, without ids."""
    world = traced.world
    administrator = await administrator_of(world)
    called = await world.http.post(
        f"{world.issuer}/portico.user.v2.UserService/GetUserByID",
        json={"userId": "canary-1"},
        headers=administrator.headers,
    )
    asked = await world.http.get(f"{world.issuer}/v2/users/canary-2", headers=administrator.headers)

    await traced.wait_for(
        called.headers["x-request-id"], "gateway gateway > users POST /portico.user.v2.UserService/GetUserByID"
    )
    await traced.wait_for(asked.headers["x-request-id"], "gateway gateway > users GET /v2/users/{user_id}")
    assert not any(b"canary-" in body for body in traced.collector.bodies)


async def test_request_id_links_page_log_and_trace(traced: Traced) -> None:
    """The id on an error page is that of the response, the log line and the trace."""
    world = traced.world
    wrong = begin(world.metadata, world.clients["basic"], redirect_uri="https://elsewhere.example/callback")
    response = await world.http.get(wrong.url, headers={"Accept": "text/html"})
    id = response.headers["x-request-id"]
    logged = [
        line for path in world.stack.logs.glob("authz*.log") for line in path.read_text().splitlines() if id in line
    ]
    await traced.wait_for(id, "gateway gateway > authz GET /oauth/v2/authorize")
    [refused] = [span for span in traced.spans_of(id) if span.name == "GET /oauth/v2/authorize"]

    assert response.status_code == 400
    assert id in response.text
    assert logged
    assert refused.attributes["http.response.status_code"] == 400
    assert refused.attributes["portico.request_id"] == id


async def test_spans_contain_no_secrets(traced: Traced, signed_in: SignedIn) -> None:
    """Spans contain no codes, tokens, passwords, handles or names of a sign-in (IN-09)."""
    seen, secrets = signed_in
    await traced.wait_for(seen.ids["POST /ui/login"], f"{VERIFIED} > users find passwords", SUBMITTED)
    await traced.wait_for(seen.ids["token"], f"{REDEEMED} > authz EVALSHA", TOKEN)
    await traced.wait_for(seen.ids["introspection"], "gateway gateway > token POST /oauth/v2/introspect")
    sent = b"".join(traced.collector.bodies)

    assert [what for what, secret in secrets.items() if secret.encode() in sent] == []
    assert all(len(secret) >= 5 for secret in secrets.values())


async def test_unavailable_collector_has_no_effect(traced: Traced) -> None:
    """Without the collector sign-ins continue and replicas stay ready, and only spans are lost."""
    traced.collector.status = 503
    try:
        seen, _ = await sign_in(traced)
    finally:
        traced.collector.status = 200
    states = [
        (await traced.world.http.get(f"http://127.0.0.1:{replica.internal_port}/readyz")).status_code
        for replica in traced.world.stack.layout.replicas
    ]

    assert seen.ids["token"]
    assert set(states) == {200}
