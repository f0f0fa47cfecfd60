from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_authz import provider_metadata
from portico_authz.discovery import Certificates
from portico_authz.discovery import document as metadata
from portico_contracts import http
from portico_fakes.authz_service import ISSUER, AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.registered_origins import know_origins


@pytest.fixture
async def response(clock: FrozenClock, bus: MemoryBus) -> httpx.Response:
    return await AuthzService(clock, bus).browser().get(http.DISCOVERY)


@pytest.fixture
def document(response: httpx.Response) -> dict[str, Any]:
    found: dict[str, Any] = response.json()
    return found


def test_issuer_is_the_address_without_well_known_path(document: dict[str, Any]) -> None:
    """The issuer is the URL without the well-known path (OpenID Connect Discovery §4.3)."""
    assert document["issuer"] == ISSUER


def test_only_supported_endpoints_are_advertised(document: dict[str, Any]) -> None:
    """Discovery does not advertise unsupported endpoints (AZ-19)."""
    named = {name for name in document if name.endswith("_endpoint") or name == "jwks_uri"}

    assert named == {
        "authorization_endpoint",
        "token_endpoint",
        "userinfo_endpoint",
        "introspection_endpoint",
        "revocation_endpoint",
        "end_session_endpoint",
        "jwks_uri",
    }
    assert all(document[name].startswith(f"{ISSUER}/") for name in named)


def test_advertised_values_are_accepted(document: dict[str, Any]) -> None:
    assert (
        document["response_types_supported"]
        == list(provider_metadata.RESPONSE_TYPES)
        == ["code", "id_token", "id_token token"]
    )
    assert document["response_modes_supported"] == ["query", "fragment", "form_post"]
    assert document["prompt_values_supported"] == ["none", "login", "consent", "select_account", "create"]
    assert "offline_access" in document["scopes_supported"]
    assert document["id_token_signing_alg_values_supported"] == ["RS256", "ES256", "EdDSA"]
    assert document["code_challenge_methods_supported"] == ["S256"]


@pytest.mark.parametrize(
    ("endpoint", "methods"),
    [
        ("token", {"client_secret_basic", "client_secret_post", "private_key_jwt", "none"}),
        ("introspection", {"client_secret_basic", "private_key_jwt"}),
        ("revocation", {"client_secret_basic", "client_secret_post", "private_key_jwt", "none"}),
    ],
)
def test_authentication_methods_of_each_endpoint(document: dict[str, Any], endpoint: str, methods: set[str]) -> None:
    """Each endpoint advertises its methods and the signing algorithms of assertions (RFC 8414 §2)."""
    assert set(document[f"{endpoint}_endpoint_auth_methods_supported"]) == methods
    assert document[f"{endpoint}_endpoint_auth_signing_alg_values_supported"] == ["RS256", "ES256", "EdDSA"]


def test_unsupported_features_are_false(document: dict[str, Any]) -> None:
    """The value request_uri_parameter_supported is explicitly false because it defaults to true (OIDC Discovery §3)."""
    assert document["request_parameter_supported"] is False
    assert document["request_uri_parameter_supported"] is False


def test_back_channel_logout_is_advertised(document: dict[str, Any]) -> None:
    """Back-channel logout is advertised with sid in the tokens (OpenID Connect Back-Channel Logout 1.0 §2.1)."""
    assert document["backchannel_logout_supported"] is True
    assert document["backchannel_logout_session_supported"] is True


def test_iss_in_responses_is_advertised(document: dict[str, Any]) -> None:
    """The iss parameter of responses is advertised (AZ-15)."""
    assert document["authorization_response_iss_parameter_supported"] is True


def test_discovery_is_cacheable_by_any_origin(response: httpx.Response) -> None:
    assert response.headers["content-type"] == "application/json"
    assert response.headers["cache-control"].startswith("public, max-age=")
    assert response.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in response.headers


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
async def test_known_etag_gets_304(clock: FrozenClock, bus: MemoryBus, form: str) -> None:
    """A matching ETag, compared weakly, gets 304 (RFC 9110 §13.1.2)."""
    browser = AuthzService(clock, bus).browser()
    tag = (await browser.get(http.DISCOVERY)).headers["etag"]
    again = await browser.http.get(http.DISCOVERY, headers={"If-None-Match": form.format(tag)})

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag


async def test_request_headers_do_not_change_the_issuer(clock: FrozenClock, bus: MemoryBus) -> None:
    """The issuer comes from the configuration only (HH-01)."""
    browser = AuthzService(clock, bus).browser()
    forged = {"Host": "evil.test", "X-Forwarded-Host": "evil.test", "X-Forwarded-Proto": "http", "Forwarded": "host=e"}

    assert (await browser.http.get(http.DISCOVERY, headers=forged)).json()["issuer"] == ISSUER


async def test_no_rfc_8414_document(clock: FrozenClock, bus: MemoryBus) -> None:
    """The metadata document of RFC 8414 is not served."""
    response = await AuthzService(clock, bus).browser().get("/.well-known/oauth-authorization-server")

    assert response.status_code == 404
    assert response.json()["error"] == "invalid_request"


async def test_discovery_accepts_only_get(clock: FrozenClock, bus: MemoryBus) -> None:
    response = await AuthzService(clock, bus).browser().post(http.DISCOVERY, {})

    assert response.status_code == 405
    assert "GET" in response.headers["allow"]


async def test_preflight_allows_tracing_headers(clock: FrozenClock, bus: MemoryBus) -> None:
    """The preflight of any origin passes with the headers that tracing libraries add (Fetch §3.2)."""
    asked = {"Origin": "https://spa.example.test", "Access-Control-Request-Method": "GET"}
    answer = await AuthzService(clock, bus).browser().http.request("OPTIONS", http.DISCOVERY, headers=asked)
    allowed = {name.strip().lower() for name in answer.headers["access-control-allow-headers"].split(",")}

    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (204, "*")
    assert {"if-none-match", "traceparent", "tracestate", "baggage", "sentry-trace"} <= allowed


async def test_application_reads_discovery_with_credentials(clock: FrozenClock, bus: MemoryBus) -> None:
    """Pages of a registered origin may send credentials, because keycloak-js always does (IR-17, decision 0118)."""
    browser = AuthzService(clock, bus).browser()
    know_origins(bus, "https://spa.example.test")
    allowed = {}
    for origin in ("https://spa.example.test", "https://evil.test"):
        headers = (await browser.http.get(http.DISCOVERY, headers={"Origin": origin})).headers
        allowed[origin] = headers["access-control-allow-origin"], headers.get("access-control-allow-credentials")

    assert allowed == {
        "https://spa.example.test": ("https://spa.example.test", "true"),
        "https://evil.test": ("*", None),
    }


async def test_metadata_documents_are_advertised_where_accepted(clock: FrozenClock, bus: MemoryBus) -> None:
    """Only while a policy accepts some (AZ-19)."""
    service = AuthzService(clock, bus)
    shown = []
    for accepted in (False, True):
        service.peers.client_metadata = accepted
        clock.tick(301)
        found = (await service.browser().get(http.DISCOVERY)).json()
        shown.append(found.get("client_id_metadata_document_supported"))

    assert shown == [None, True]


async def test_identity_assertions_are_advertised_where_accepted(clock: FrozenClock, bus: MemoryBus) -> None:
    """Only while an organization accepts some, and without the name of an issuer (AZ-19)."""
    service = AuthzService(clock, bus)
    shown = []
    for accepted in (False, True):
        service.peers.assertions = accepted
        clock.tick(301)
        found = (await service.browser().get(http.DISCOVERY)).json()
        assert "urn:ietf:params:oauth:grant-type:jwt-bearer" in found["grant_types_supported"]
        shown.append(found.get("authorization_grant_profiles_supported"))

    assert shown == [None, ["urn:ietf:params:oauth:grant-profile:id-jag"]]


@pytest.mark.parametrize(
    ("ca_file", "methods"),
    [("/ca.pem", ["tls_client_auth", "self_signed_tls_client_auth"]), ("", ["self_signed_tls_client_auth"])],
)
def test_client_certificates_are_advertised_where_they_are_turned_on(ca_file: str, methods: list[str]) -> None:
    """The methods with certificates are last at each endpoint, and each endpoint shown has an alias (RFC 8705 section 5)."""
    alias = "https://mtls.example.test:8444"
    plain = metadata(ISSUER)
    shown = metadata(ISSUER, pushed_requests=True, certificates=Certificates.configured(alias, ca_file))
    names = ("token", "introspection", "revocation")

    assert "mtls_endpoint_aliases" not in plain
    for name in names:
        field = f"{name}_endpoint_auth_methods_supported"
        assert list(shown[field]) == [*plain[field], *methods]
    assert shown["mtls_endpoint_aliases"] == {
        "token_endpoint": f"{alias}/oauth/v2/token",
        "revocation_endpoint": f"{alias}/oauth/v2/revoke",
        "introspection_endpoint": f"{alias}/oauth/v2/introspect",
        "pushed_authorization_request_endpoint": f"{alias}/oauth/v2/par",
        "userinfo_endpoint": f"{alias}/oidc/v1/userinfo",
    }
    assert metadata(ISSUER, certificates=Certificates.configured("", ca_file)) == plain
