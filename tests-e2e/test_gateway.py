"""The gateway is the only door: its paths, its headers, and what stays behind it."""

from __future__ import annotations

import pytest
from portico_contracts.http import ACCOUNTS_API, LOGIN_API
from portico_journeys.participants import ALICE
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


@pytest.mark.parametrize("path", NOWHERE)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_what_is_not_on_the_map_is_not_there(world: World, method: str, path: str) -> None:
    """Unknown paths, internal ones above all, are 404 with a request id (HH-04, IN-06, FD-18)."""
    request = world.http.build_request(method, world.issuer, json={} if method == "POST" else None)
    request.url = request.url.copy_with(raw_path=path.encode())
    answer = await world.http.send(request)

    assert answer.status_code in (404, 415) if path.startswith("/ui/") else answer.status_code == 404
    assert "x-request-id" in answer.headers
    assert "server" not in answer.headers or "uvicorn" not in answer.headers["server"].lower()


async def test_get_is_not_allowed_where_forms_are_posted(world: World) -> None:
    """GET on token, introspect and revoke is 405, with the methods that are allowed (TK-21)."""
    names = ("token_endpoint", "introspection_endpoint", "revocation_endpoint")
    served = [world.metadata[name] for name in names if name in world.metadata]
    answers = [await world.http.get(url, params={"client_id": "e2e-basic"}) for url in served]

    assert served
    for answer in answers:
        assert answer.status_code == 405
        assert answer.headers["allow"] == "POST"
        assert answer.json()["error"] == "invalid_request"


@pytest.mark.parametrize(
    "media", ["application/json", "multipart/form-data; boundary=x", "text/plain", "application/x-www-form-urlencoded2"]
)
async def test_only_forms_are_read(world: World, media: str) -> None:
    """Other content types than the form's are 415, unread (RX-02, TK-21)."""
    answer = await world.http.post(
        world.metadata["token_endpoint"], content=b"grant_type=authorization_code", headers={"Content-Type": media}
    )

    assert answer.status_code == 415


async def test_body_over_the_limit_is_refused(world: World) -> None:
    """More than 64 KiB of form is 413 (RX-01)."""
    answer = await world.http.post(world.metadata["token_endpoint"], data={"grant_type": "x" * 70_000})

    assert answer.status_code == 413


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate"])
async def test_compressed_bodies_are_refused(world: World, encoding: str) -> None:
    """No request is ever decompressed (RX-10)."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Content-Encoding": encoding}
    answer = await world.http.post(world.metadata["token_endpoint"], content=b"grant_type=x", headers=headers)

    assert answer.status_code == 415


@pytest.mark.parametrize(
    "path", ["/.well-known/openid-configuration", "/oauth/v2/keys", "/oauth/v2/authorize", "/nothing", "/ui/login"]
)
async def test_request_id_is_the_gateways_own(world: World, path: str) -> None:
    """Every response names its request; an id a client sends is not used (HH-04)."""
    answers = [
        await world.http.get(f"{world.issuer}{path}", headers={"X-Request-Id": "chosen-by-client-1234"})
        for _ in range(2)
    ]
    ids = [answer.headers.get_list("x-request-id") for answer in answers]

    assert all(len(one) == 1 for one in ids)
    assert ids[0] != ids[1]
    assert all("chosen-by-client" not in one[0] for one in ids)


FORGED = [
    {"Host": "evil.example.test"},
    {"X-Forwarded-Host": "evil.example.test"},
    {"X-Forwarded-Proto": "gopher"},
    {"X-Forwarded-Port": "1"},
    {"X-Forwarded-Prefix": "/evil"},
    {"Forwarded": "host=evil.example.test;proto=gopher"},
    {"X-Original-Host": "evil.example.test"},
    {"X-HTTP-Host-Override": "evil.example.test"},
]


@pytest.mark.parametrize("headers", FORGED, ids=lambda headers: next(iter(headers)))
async def test_issuer_is_never_taken_from_a_header(world: World, headers: dict[str, str]) -> None:
    """Discovery and redirects name the configured issuer, whatever the headers claim (HH-01)."""
    discovery = await world.http.get(f"{world.issuer}/.well-known/openid-configuration", headers=headers)
    begun = begin(world.metadata, world.clients["basic"], prompt="none")
    redirect = await world.http.get(begun.url, headers=headers)

    for answer in (discovery, redirect):
        assert "evil" not in answer.text
        assert "gopher" not in answer.text
        assert "evil" not in str(answer.headers)
    if discovery.status_code == 200:
        assert discovery.json() == world.metadata
        assert redirect.headers["location"].startswith(world.clients["basic"].redirect_uri)
    else:
        # An unknown Host may be refused at the door instead.
        assert "Host" in headers
        assert discovery.status_code < 500


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


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/oauth/v2/keys"])
async def test_public_documents_are_cacheable(world: World, path: str) -> None:
    """Discovery and key set carry an ETag that is honoured, and any origin may read them (IR-15)."""
    first = await world.http.get(f"{world.issuer}{path}", headers={"Origin": "https://anybody.example.test"})
    second = await world.http.get(f"{world.issuer}{path}", headers={"If-None-Match": first.headers["etag"]})

    assert first.status_code == 200
    assert "max-age" in first.headers["cache-control"]
    assert first.headers["access-control-allow-origin"] == "*"
    assert second.status_code == 304
    assert second.content == b""


async def test_credentials_in_the_address_are_not_read(world: World) -> None:
    """Client and code in the query of a token request count for nothing (TK-21)."""
    begun, code = await world.code_of(ALICE, "public")
    client = world.clients["public"]
    wanted = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": client.redirect_uri,
        "client_id": client.client_id,
        "code_verifier": begun.verifier,
    }
    in_query = await world.http.post(
        world.metadata["token_endpoint"],
        params=wanted,
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    in_body = await world.redeem("public", code, code_verifier=begun.verifier)

    assert in_query.status_code in (400, 401)
    assert "access_token" not in in_query.text
    assert in_body.status_code == 200
