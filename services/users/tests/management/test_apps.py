from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from portico_contracts.users import GET_CLIENT, AuthMethod, GetClient
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.opaque import fingerprint
from portico_users.applications.compliance import TEXTS
from portico_users.catalogue import PACKAGE
from portico_web.catalogue import load_catalogue
from portico_web.languages import ENGLISH, LANGUAGES

pytestmark = pytest.mark.servers

App = Callable[..., Awaitable[ApiResponse]]
OF = "portico.management.v1.AppService"
CODE = {"responseTypes": ["OIDC_RESPONSE_TYPE_CODE"], "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"]}
URIS = {"redirectUris": ["https://shop.example/cb"]}
SIGNS = {"authMethodType": "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT"}
FREE = {"authMethodType": "OIDC_AUTH_METHOD_TYPE_NONE"}


@pytest.fixture
async def on_app(managed: Any) -> App:
    project = {"id": f"p-{managed.tag}", "name": "web"}
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    await managed.write_once("project of apps", partial(managed.users.apply, org | {"projects": [project]}))

    async def call(method: str, body: Any = None, path: str = "", *, by: str = "owner", **more: Any) -> ApiResponse:
        address = f"/management/v1/projects/p-{managed.tag}/apps{path}"
        return await call_as(managed, f"{OF}.{method}", body or {}, by=by, path=address, **more)

    return call


async def _add(on_app: App, **members: Any) -> dict[str, Any]:
    added = await on_app("AddOIDCApp", {"name": "shop", **CODE, **URIS, **members}, "/oidc")
    assert added.code == 0, added.body
    return added.body


async def test_new_application_is_usable_at_once(managed: Any, on_app: App) -> None:
    """The token service gets the client id and secret of the response, of which only the hash is stored."""
    body = await _add(on_app)
    client = await managed.users.client(body["clientId"])
    events = await managed.users.rows("events", object=body["appId"])

    assert len(body["clientSecret"]) == 64
    assert client.secret_hash == fingerprint(body["clientSecret"])
    assert client.redirect_uris == ("https://shop.example/cb",)
    assert body["details"]["sequence"] == "1"
    assert "noneCompliant" not in body
    assert body["clientSecret"] not in str(events)
    assert client.secret_hash not in str(events)


async def test_every_setting_is_read_back(on_app: App) -> None:
    settings = {
        "redirectUris": ["com.example.app:/cb"],
        "responseTypes": ["OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN"],
        "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_IMPLICIT"],
        "appType": "OIDC_APP_TYPE_NATIVE",
        "authMethodType": "OIDC_AUTH_METHOD_TYPE_NONE",
        "postLogoutRedirectUris": ["https://shop.example/out"],
        "devMode": True,
        "accessTokenType": "OIDC_TOKEN_TYPE_JWT",
        "accessTokenRoleAssertion": True,
        "idTokenRoleAssertion": True,
        "idTokenUserinfoAssertion": True,
        "additionalOrigins": ["https://other.example"],
        "backChannelLogoutUri": "https://shop.example/backchannel",
        "idTokenSignedResponseAlg": "ES256",
        "refreshTokenGraceSeconds": 30,
        "clientAssertionAudience": "CLIENT_ASSERTION_AUDIENCE_ISSUER",
        "clockSkew": "3s",
        "clientAssertionJti": "CLIENT_ASSERTION_JTI_REQUIRED",
    }
    body = await _add(on_app, **settings)
    app = (await on_app("GetAppByID", {}, f"/{body['appId']}")).body["app"]
    config = app["oidcConfig"]

    assert "clientSecret" not in body
    assert {name: config.get(name) for name in settings} == settings
    assert config["clientId"] == body["clientId"]
    assert config["allowedOrigins"] == ["https://other.example"]
    assert app["state"] == "APP_STATE_ACTIVE"
    assert "complianceProblems" in config


async def test_device_application_needs_no_redirect_uri(managed: Any, on_app: App) -> None:
    """An application for devices has no response type, and no finding either (RFC 8628)."""
    grants = ["OIDC_GRANT_TYPE_DEVICE_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"]
    native = {"appType": "OIDC_APP_TYPE_NATIVE", **FREE}
    body = await _add(on_app, redirectUris=[], responseTypes=[], grantTypes=grants, **native)
    client = await managed.users.client(body["clientId"])

    assert client.grant_types == ("urn:ietf:params:oauth:grant-type:device_code", "refresh_token")
    assert "noneCompliant" not in body


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"responseTypes": []}, "responseTypes"),
        ({"responseTypes": ["OIDC_RESPONSE_TYPE_ID_TOKEN"]}, "responseTypes[0]"),
        ({"redirectUris": ["https://shop.example/cb", "javascript:alert(1)"]}, "redirectUris[1]"),
        ({"additionalOrigins": ["https://shop.example/path"]}, "additionalOrigins[0]"),
        ({"backChannelLogoutUri": "http://shop.example/"}, "backChannelLogoutUri"),
        ({"idTokenSignedResponseAlg": "none"}, "idTokenSignedResponseAlg"),
        ({"refreshTokenGraceSeconds": 61}, "refreshTokenGraceSeconds"),
        ({"clockSkew": "6s"}, "clockSkew"),
        ({"clockSkew": "5.000000001s"}, "clockSkew"),
        ({"clockSkew": "-1s"}, "clockSkew"),
        ({"clockSkew": "1.5s"}, "clockSkew"),
        ({"clockSkew": 3}, "clockSkew"),
        ({"clientAssertionJti": 2}, "clientAssertionJti"),
        ({"appType": 9}, "appType"),
        ({"responseTypes": [0, 7]}, "responseTypes[1]"),
        ({"name": "x" * 201}, "name"),
    ],
)
async def test_invalid_settings_are_refused(on_app: App, settings: Any, field: str) -> None:
    """Invalid settings give code 3 with the field (AZ-01, AZ-03)."""
    refused = await on_app("AddOIDCApp", {"name": "shop", **CODE, **URIS, **settings}, "/oidc")

    assert (refused.code, refused.fields) == (3, [field])


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"redirectUris": []}, "NoRedirectUris"),
        ({"redirectUris": ["com.example:/cb"]}, "Code.RedirectUris.CustomOnlyForNative"),
        ({"redirectUris": ["http://localhost/"], "appType": "OIDC_APP_TYPE_USER_AGENT", **FREE}, "HttpOnlyForWeb"),
        ({"redirectUris": ["http://a.example/"], "devMode": True, "appType": 2, **FREE}, "MustBeHttpLocalhost"),
        ({"appType": "OIDC_APP_TYPE_NATIVE"}, "Native.AuthMethodType.NotNone"),
        ({"appType": "OIDC_APP_TYPE_USER_AGENT"}, "UserAgent.AuthMethodType.NotNone"),
        ({"grantTypes": [1, 2], "responseTypes": [1]}, "GrantType.Refresh.NoAuthCode"),
        ({"grantTypes": [1], "responseTypes": [1], "redirectUris": ["a.b:/"]}, "Implicit.RedirectUris.CustomNot"),
        (
            {"grantTypes": [1], "responseTypes": [1], "redirectUris": ["http://localhost/"]},
            "Implicit.RedirectUris.Http",
        ),
    ],
)
async def test_compliance_findings_are_only_informative(on_app: App, settings: Any, key: str) -> None:
    """Findings have a key and a text in the caller's language, and prevent nothing."""
    body = {"name": "shop", **CODE, **URIS, **settings}
    added = await on_app("AddOIDCApp", body, "/oidc", headers={"Accept-Language": "de"})
    problems = added.body["complianceProblems"]

    assert added.body["noneCompliant"] is True
    assert problems[0]["key"] == "Application.OIDC.V1.NotCompliant"
    assert any(key in problem["key"] for problem in problems[1:])
    assert not {problem["localizedMessage"] for problem in problems} & set(TEXTS.values())


@pytest.mark.parametrize("tag", [language.tag for language in LANGUAGES if language is not ENGLISH])
def test_compliance_findings_are_translated(tag: str) -> None:
    """Every finding has a translated sentence."""
    words = load_catalogue(PACKAGE, tag)

    assert [text for text in TEXTS.values() if words.find(text) is None] == []


async def test_clock_skew_is_replaced_by_an_update(managed: Any, on_app: App) -> None:
    """The token service gets the clock skew in seconds; an update without it resets it."""
    added = await _add(on_app, clockSkew="5s")
    before = await managed.users.client(added["clientId"])
    path = f"/{added['appId']}"
    await on_app("UpdateOIDCAppConfig", {**CODE, **URIS}, f"{path}/oidc_config")
    after = await managed.users.client(added["clientId"])
    config = (await on_app("GetAppByID", {}, path)).body["app"]["oidcConfig"]

    assert (before.clock_skew_seconds, after.clock_skew_seconds) == (5, 0)
    assert config["clockSkew"] == "0s"


async def test_fractional_clock_skew_is_refused(on_app: App) -> None:
    """A clock skew with a fraction of a second is refused, because times in tokens are whole seconds."""
    refused = await on_app("AddOIDCApp", {"name": "shop", **CODE, **URIS, "clockSkew": "0.5s"}, "/oidc")

    assert (refused.code, refused.error_code) == (3, "USER-920")


async def test_update_replaces_all_settings(on_app: App) -> None:
    """Absent settings are reset, and an update without a change is refused (MG-18)."""
    added = await _add(on_app, devMode=True, additionalOrigins=["https://other.example"])
    path = f"/{added['appId']}"
    updated = await on_app("UpdateOIDCAppConfig", {**CODE, **URIS}, f"{path}/oidc_config")
    config = (await on_app("GetAppByID", {}, path)).body["app"]["oidcConfig"]
    again = await on_app("UpdateOIDCAppConfig", {**CODE, **URIS}, f"{path}/oidc_config")

    assert updated.body["details"]["sequence"] == "2"
    assert "devMode" not in config
    assert "additionalOrigins" not in config
    assert (again.code, again.error_code) == (9, "USER-702")


async def test_failed_update_changes_nothing(managed: Any, on_app: App) -> None:
    """An update with one invalid value changes no part of the application (MG-18)."""
    added = await _add(on_app)
    body = {**CODE, "redirectUris": ["data:text/html,x"], "devMode": True}
    refused = await on_app("UpdateOIDCAppConfig", body, f"/{added['appId']}/oidc_config")

    assert refused.code == 3
    assert (await managed.users.client(added["clientId"])).redirect_uris == ("https://shop.example/cb",)


async def test_method_without_secret_deletes_the_secret(managed: Any, on_app: App) -> None:
    """The secret does not return with the method; a new one is generated on request."""
    added = await _add(on_app)
    path = f"/{added['appId']}/oidc_config"
    await on_app("UpdateOIDCAppConfig", {**CODE, **URIS, **FREE}, path)
    assert (await on_app("RegenerateOIDCClientSecret", {}, f"{path}/_generate_client_secret")).error_code == "USER-707"
    await on_app("UpdateOIDCAppConfig", {**CODE, **URIS}, path)
    assert (await managed.users.client(added["clientId"])).secret_hash == ""

    made = await on_app("RegenerateOIDCClientSecret", {}, f"{path}/_generate_client_secret")
    client = await managed.users.client(added["clientId"])
    assert client.secret_hash == fingerprint(made.body["clientSecret"])


async def test_api_application_has_only_method_and_secret(managed: Any, on_app: App) -> None:
    added = await on_app("AddAPIApp", {"name": "orders"}, "/api")
    path = f"/{added.body['appId']}"
    made = await on_app("RegenerateAPIClientSecret", {}, f"{path}/api_config/_generate_client_secret")
    client = await managed.users.client(added.body["clientId"])
    assert client.secret_hash == fingerprint(made.body["clientSecret"]) != fingerprint(added.body["clientSecret"])

    jti = "CLIENT_ASSERTION_JTI_REQUIRED"
    signs = {"authMethodType": "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT", "clientAssertionJti": jti}
    assert (await on_app("UpdateAPIAppConfig", signs, f"{path}/api_config")).code == 0
    app = (await on_app("GetAppByID", {}, path)).body["app"]
    assert app["apiConfig"] == {"clientId": added.body["clientId"], **signs}
    changed = await managed.users.client(added.body["clientId"])
    assert (changed.secret_hash, client.assertion_jti_required, changed.assertion_jti_required) == ("", False, True)


async def test_application_of_the_other_kind_is_not_found(on_app: App) -> None:
    """OIDC operations do not find API applications, and vice versa."""
    oidc = await _add(on_app)
    api = (await on_app("AddAPIApp", {"name": "orders"}, "/api")).body

    assert (await on_app("UpdateAPIAppConfig", {}, f"/{oidc['appId']}/api_config")).error_code == "USER-709"
    assert (await on_app("UpdateOIDCAppConfig", CODE, f"/{api['appId']}/oidc_config")).error_code == "USER-709"


async def test_inactive_and_removed_apps_are_no_clients(managed: Any, on_app: App) -> None:
    """Inactive and removed applications are not clients; removal frees the name but not the id."""
    added = await _add(on_app)
    ask, path = GetClient(client_id=added["clientId"]), f"/{added['appId']}"
    assert (await on_app("UpdateApp", {"name": "store"}, path)).code == 0
    assert (await on_app("DeactivateApp", {}, f"{path}/_deactivate")).code == 0
    assert (await managed.users.call(GET_CLIENT, ask)).client is None
    assert (await on_app("ReactivateApp", {}, f"{path}/_reactivate")).code == 0
    assert (await managed.users.client(added["clientId"])).name == "store"
    assert (await on_app("AddAPIApp", {"name": "STORE"}, "/api")).code == 6

    assert (await on_app("RemoveApp", {}, path)).body["details"]["sequence"] == "5"
    assert (await managed.users.call(GET_CLIENT, ask)).client is None
    assert (await on_app("GetAppByID", {}, path)).error_code == "USER-709"
    assert (await on_app("AddAPIApp", {"name": "STORE"}, "/api")).code == 0


async def test_application_of_another_project_is_not_found(managed: Any, on_app: App) -> None:
    """An application is found only with the id of its own project."""
    added = await _add(on_app)
    name = f"{OF}.GetAppByID"
    path = f"/management/v1/projects/other/apps/{added['appId']}"

    assert (await call_as(managed, name, {}, path=path)).error_code == "USER-709"


async def test_list_is_filtered_and_sorted_by_name(on_app: App) -> None:
    for name in ("beta", "Alpha", "gamma"):
        await on_app("AddAPIApp", {"name": name}, "/api")
    listed = await on_app("ListApps", {"query": {"asc": True, "limit": 2}}, "/_search")
    query = {"nameQuery": {"name": "ta", "method": "TEXT_QUERY_METHOD_ENDS_WITH"}}

    assert [app["name"] for app in listed.body["result"]] == ["Alpha", "beta"]
    assert listed.body["details"]["totalResult"] == "3"
    named = await on_app("ListApps", {"queries": [query]}, "/_search")
    assert [app["name"] for app in named.body["result"]] == ["beta"]


async def test_key_file_matches_the_stored_key(managed: Any, on_app: App) -> None:
    """The file has the private key and the store the public one; neither is found anywhere else."""
    added = await _add(on_app, **SIGNS)
    keys = f"/{added['appId']}/keys"
    expires = managed.users.moment(3_600)
    made = await on_app("AddAppKey", {"type": "KEY_TYPE_JSON", "expirationDate": expires}, keys)
    file = json.loads(base64.b64decode(made.body["keyDetails"]))
    private = await asyncio.to_thread(load_pem_private_key, file.pop("key").encode(), None)
    client = await managed.users.client(added["clientId"])

    assert isinstance(private, RSAPrivateKey)
    assert private.key_size == 2048
    assert file == {
        "type": "application",
        "keyId": made.body["id"],
        "appId": added["appId"],
        "clientId": added["clientId"],
        "expirationDate": expires.replace("+00:00", "Z"),
    }
    assert client.auth_method is AuthMethod.PRIVATE_KEY_JWT
    assert [(key.kid, key.alg) for key in client.keys] == [(made.body["id"], "RS256")]
    stored = int.from_bytes(base64.urlsafe_b64decode(client.keys[0].jwk["n"] + "=="), "big")
    assert stored == private.public_key().public_numbers().n
    rows = await managed.users.rows("apps", _id=added["appId"])
    assert not {"d", "p", "q"} & set(rows[0]["keys"][0]["jwk"])


async def test_keys_are_read_listed_and_removed(on_app: App) -> None:
    added = await _add(on_app, **SIGNS)
    keys = f"/{added['appId']}/keys"
    ids = [(await on_app("AddAppKey", {"type": 1}, keys)).body["id"] for _ in range(2)]
    listed = await on_app("ListAppKeys", {"query": {"asc": True}}, f"{keys}/_search")
    assert [key["id"] for key in listed.body["result"]] == ids
    assert (await on_app("GetAppKey", {}, f"{keys}/{ids[0]}")).body["key"]["algorithm"] == "RS256"

    assert (await on_app("RemoveAppKey", {}, f"{keys}/{ids[0]}")).code == 0
    for method in ("GetAppKey", "RemoveAppKey"):
        assert (await on_app(method, {}, f"{keys}/{ids[0]}")).error_code == "USER-706"


@pytest.mark.parametrize(
    ("body", "method", "error_code"),
    [
        ({}, SIGNS, "USER-303"),
        ({"type": "KEY_TYPE_UNSPECIFIED"}, SIGNS, "USER-303"),
        ({"type": 1, "expirationDate": "2001-01-01T00:00:00Z"}, SIGNS, "USER-053"),
        ({"type": 1, "expirationDate": "tomorrow"}, SIGNS, "USER-303"),
        ({"type": 1}, {}, "USER-708"),
    ],
)
async def test_invalid_key_is_refused(on_app: App, body: Any, method: Any, error_code: str) -> None:
    """Keys that have expired, of an unknown type, or for a method without keys are refused."""
    added = await _add(on_app, **method)

    assert (await on_app("AddAppKey", body, f"/{added['appId']}/keys")).error_code == error_code
