"""The gateway as the only entry point: its paths, its headers, and the paths it does not expose."""

from __future__ import annotations

import pytest
from portico_contracts.http import ACCOUNTS_API, LOGIN_API
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World

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


async def test_unmapped_paths_are_404(world: World) -> None:
    """Unknown paths, internal ones above all, get 404 with a request id (HH-04, IN-06, FD-18)."""
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


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/oauth/v2/nothing",
        "/ui/nothing",
        "/ui/login/nothing",
        "/ui/console/nothing",
        "/ui/account/nothing",
        "/ui/console/static/nothing",
        "/ui/branding/logos/nothing",
        "/v2/nothing",
        "/management/v1/nothing",
    ],
)
async def test_unknown_paths_are_a_page_in_a_browser(world: World, path: str) -> None:
    """Whichever service or gateway answers, a browser gets a page."""
    page = await world.http.get(world.issuer + path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})

    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert "<h1" in page.text


async def test_request_id_is_set_by_the_gateway(world: World) -> None:
    """Every response has one request id, and an id of the client is not used (HH-04)."""
    wrong, seen = {}, set()
    for path in ("/.well-known/openid-configuration", "/oauth/v2/keys", "/oauth/v2/authorize", "/nothing", "/ui/login"):
        for _ in range(2):
            answer = await world.http.get(f"{world.issuer}{path}", headers={"X-Request-Id": "chosen-by-client-1234"})
            ids = answer.headers.get_list("x-request-id")
            if len(ids) != 1 or ids[0] in seen or "chosen-by-client" in ids[0]:
                wrong[path] = ids
            seen |= set(ids)

    assert wrong == {}


async def test_issuer_is_not_taken_from_the_host_header(world: World) -> None:
    """Discovery and redirects use the configured issuer for any Host, or the gateway refuses it (HH-01)."""
    headers, address = {"Host": "evil.example.test"}, f"{world.issuer}/.well-known/openid-configuration"
    before = await world.http.get(address)
    discovery = await world.http.get(address, headers=headers)
    after = await world.http.get(address)
    redirect = await world.http.get(begin(world.metadata, world.clients["basic"], prompt="none").url, headers=headers)

    for answer in (discovery, redirect):
        assert answer.status_code < 500
        assert "evil" not in answer.text + str(answer.headers)
    if discovery.status_code == 200:
        # Another test may register the first application with DPoP meanwhile, which adds a member.
        assert discovery.json() in (before.json(), after.json())
        assert redirect.headers["location"].startswith(world.clients["basic"].redirect_uri)


async def test_discovery_matches_the_served_features(world: World) -> None:
    """Discovery has the specified endpoints and exactly the supported features (AZ-15, AZ-19)."""
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
    """Discovery and key set have a working ETag, and any origin may read them (IR-15)."""
    for path in ("/.well-known/openid-configuration", "/oauth/v2/keys"):
        first = await world.http.get(f"{world.issuer}{path}", headers={"Origin": "https://anybody.example.test"})
        second = await world.http.get(f"{world.issuer}{path}", headers={"If-None-Match": first.headers["etag"]})

        assert first.status_code == 200, path
        assert "max-age" in first.headers["cache-control"], path
        assert first.headers["access-control-allow-origin"] == "*", path
        assert (second.status_code, second.content) == (304, b""), path
