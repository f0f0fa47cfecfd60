"""The gateway is the only door: its paths, its headers, and what stays behind it."""

from __future__ import annotations

import pytest
from portico_contracts.http import ACCOUNTS_API, LOGIN_API
from portico_journeys.relying_party import begin
from portico_journeys.world import World

pytestmark = pytest.mark.e2e

NOWHERE = [
    "/index.html",
    ACCOUNTS_API,
    "/nothing",
    "/oauth/v2",
    "/oauth/v2/nothing",
    "/.well-known/oauth-authorization-server",
    "/healthz",
    "/readyz",
    "/metrics",
    "/docs",
    "/openapi.json",
    f"{LOGIN_API}/00aaaaaaaaaaaaaaaaaaaaaaaa/step",
    "/oauth/v2/token/../../../login/v1/requests/x/step",
    "/ui/login/../../login/v1/requests/x/step",
    "/ui/login/%2e%2e/%2e%2e/login/v1/requests/x/step",
]


async def test_what_is_not_on_the_map_is_not_there(world: World) -> None:
    """Unknown paths, internal ones above all, are 404 with a request id (HH-04, IN-06, FD-18)."""
    wrong = {}
    for path in NOWHERE:
        for method in ("GET", "POST"):
            request = world.http.build_request(method, world.issuer, json={} if method == "POST" else None)
            request.url = request.url.copy_with(raw_path=path.encode())
            answer = await world.http.send(request)
            expected = (404, 415) if path.startswith("/ui/") else (404,)
            server = answer.headers.get("server", "").lower()
            if answer.status_code not in expected or "x-request-id" not in answer.headers or "uvicorn" in server:
                wrong[method, path] = (answer.status_code, dict(answer.headers))

    assert wrong == {}


async def test_request_id_is_the_gateways_own(world: World) -> None:
    """Every response names its request once; an id that a client sends is not used (HH-04)."""
    wrong, seen = {}, set()
    for path in ("/.well-known/openid-configuration", "/oauth/v2/keys", "/oauth/v2/authorize", "/nothing", "/ui/login"):
        for _ in range(2):
            answer = await world.http.get(f"{world.issuer}{path}", headers={"X-Request-Id": "chosen-by-client-1234"})
            ids = answer.headers.get_list("x-request-id")
            if len(ids) != 1 or ids[0] in seen or "chosen-by-client" in ids[0]:
                wrong[path] = ids
            seen |= set(ids)

    assert wrong == {}


async def test_issuer_is_never_taken_from_the_host_header(world: World) -> None:
    """Discovery and redirects name the configured issuer for any Host, or the gateway refuses it (HH-01)."""
    headers = {"Host": "evil.example.test"}
    discovery = await world.http.get(f"{world.issuer}/.well-known/openid-configuration", headers=headers)
    redirect = await world.http.get(begin(world.metadata, world.clients["basic"], prompt="none").url, headers=headers)

    for answer in (discovery, redirect):
        assert answer.status_code < 500
        assert "evil" not in answer.text + str(answer.headers)
    if discovery.status_code == 200:
        assert discovery.json() == world.metadata
        assert redirect.headers["location"].startswith(world.clients["basic"].redirect_uri)


async def test_discovery_states_what_is_served(world: World) -> None:
    """The document names the endpoints of the specification and what the tables offer, no more (AZ-15, AZ-19)."""
    said = world.metadata

    assert said["issuer"] == world.issuer
    assert said["authorization_endpoint"] == f"{world.issuer}/oauth/v2/authorize"
    assert said["token_endpoint"] == f"{world.issuer}/oauth/v2/token"
    assert said["userinfo_endpoint"] == f"{world.issuer}/oidc/v1/userinfo"
    assert said["jwks_uri"] == f"{world.issuer}/oauth/v2/keys"
    assert said["code_challenge_methods_supported"] == ["S256"]
    assert said["id_token_signing_alg_values_supported"][0] == "RS256"
    assert said["subject_types_supported"] == ["public"]
    assert said["request_parameter_supported"] is False
    assert said["request_uri_parameter_supported"] is False
    assert said["authorization_response_iss_parameter_supported"] is True


async def test_public_documents_are_cacheable(world: World) -> None:
    """Discovery and key set carry an ETag that is honoured, and any origin may read them (IR-15)."""
    for path in ("/.well-known/openid-configuration", "/oauth/v2/keys"):
        first = await world.http.get(f"{world.issuer}{path}", headers={"Origin": "https://anybody.example.test"})
        second = await world.http.get(f"{world.issuer}{path}", headers={"If-None-Match": first.headers["etag"]})

        assert first.status_code == 200, path
        assert "max-age" in first.headers["cache-control"], path
        assert first.headers["access-control-allow-origin"] == "*", path
        assert (second.status_code, second.content) == (304, b""), path
