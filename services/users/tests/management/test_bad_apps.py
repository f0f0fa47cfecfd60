from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import call_as
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers

OF = "portico.management.v1.AppService"
CODE, ID_TOKEN = "OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN"
BY_CODE, BY_IMPLICIT = "OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_IMPLICIT"
GOOD = {"name": "shop", "redirectUris": ["https://shop.example/cb"], "responseTypes": [CODE], "grantTypes": [BY_CODE]}

BAD_OIDC_APPS: list[tuple[dict[str, Any], str, str]] = [
    ({"redirectUris": ["http://shop.example/cb"]}, "USER-020", "redirectUris[0]"),
    ({"redirectUris": ["javascript:alert(1)"]}, "USER-020", "redirectUris[0]"),
    ({"redirectUris": ["data:text/html,x"]}, "USER-020", "redirectUris[0]"),
    ({"redirectUris": ["https://shop.example/cb#part"]}, "USER-020", "redirectUris[0]"),
    ({"redirectUris": ["https://shop.example/cb", "shop:/cb"]}, "USER-791", "redirectUris[1]"),
    ({"redirectUris": ["shop.example/cb"]}, "USER-020", "redirectUris[0]"),
    ({"postLogoutRedirectUris": ["http://shop.example/"]}, "USER-020", "postLogoutRedirectUris[0]"),
    ({"postLogoutRedirectUris": ["https://shop.example/", "vbscript:x"]}, "USER-020", "postLogoutRedirectUris[1]"),
    ({"responseTypes": []}, "USER-021", "responseTypes"),
    ({"responseTypes": [ID_TOKEN]}, "USER-022", "responseTypes[0]"),
    ({"responseTypes": [CODE, ID_TOKEN]}, "USER-022", "responseTypes[1]"),
    ({"responseTypes": ["OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"]}, "USER-022", "responseTypes[0]"),
    ({"grantTypes": [BY_IMPLICIT]}, "USER-022", "responseTypes[0]"),
    (
        {"grantTypes": [BY_CODE, "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"], "authMethodType": "OIDC_AUTH_METHOD_TYPE_NONE"},
        "USER-884",
        "grantTypes[1]",
    ),
    ({"grantTypes": ["OIDC_GRANT_TYPE_REFRESH_TOKEN"]}, "USER-022", "responseTypes[0]"),
    ({"additionalOrigins": ["https://shop.example/path"]}, "USER-023", "additionalOrigins[0]"),
    ({"additionalOrigins": ["https://Shop.Example"]}, "USER-023", "additionalOrigins[0]"),
    ({"additionalOrigins": ["shop.example"]}, "USER-023", "additionalOrigins[0]"),
    ({"backChannelLogoutUri": "http://shop.example/out"}, "USER-025", "backChannelLogoutUri"),
    ({"backChannelLogoutUri": "https://shop.example/#part"}, "USER-025", "backChannelLogoutUri"),
    ({"backChannelLogoutUri": "com.example.shop:/out"}, "USER-025", "backChannelLogoutUri"),
    ({"logoUri": "http://shop.example/logo.png"}, "USER-621", "logoUri"),
    ({"logoUri": "data:image/png;base64,AAAA"}, "USER-621", "logoUri"),
    ({"logoUri": "http://localhost/logo.png"}, "USER-621", "logoUri"),
    ({"policyUri": "com.example.shop:/privacy"}, "USER-621", "policyUri"),
    ({"policyUri": "javascript:alert(1)"}, "USER-621", "policyUri"),
    ({"policyUri": "https://user@shop.example/"}, "USER-621", "policyUri"),
    ({"tosUri": "shop.example/terms"}, "USER-621", "tosUri"),
    ({"tosUri": 'https://shop.example/"onload'}, "USER-621", "tosUri"),
    ({"idTokenSignedResponseAlg": "none"}, "USER-024", "idTokenSignedResponseAlg"),
    ({"idTokenSignedResponseAlg": "HS256"}, "USER-024", "idTokenSignedResponseAlg"),
]
BAD_NAMES = [" shop", "shop ", "sh\x07op", "sh\u0085op", " "]


async def _refused_by_apply(managed: Any, kind: str, app: Any, place: str) -> str:
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    with pytest.raises(ServiceError) as refused:
        await managed.users.apply(org | {"projects": [{"id": f"p-owner-{managed.tag}", "name": "web", kind: [app]}]})
    assert refused.value.text.startswith(f"organizations[0].projects[0].{kind}[0].{place}: ")
    return str(refused.value.id)


async def _refused_by_api(managed: Any, method: str, body: Any, path: str, place: str) -> str:
    address = f"/management/v1/projects/p-owner-{managed.tag}/apps{path}"
    answered = await call_as(managed, f"{OF}.{method}", body, path=address)
    assert answered.fields == [place]
    return str(answered.error_code)


@pytest.mark.parametrize(("settings", "error_code", "place"), BAD_OIDC_APPS)
async def test_invalid_oidc_app_gets_equal_errors_everywhere(
    managed: Any, settings: Any, error_code: str, place: str
) -> None:
    """Added, updated or applied, an invalid application gets the same error id and path (AZ-01, AZ-03)."""
    await managed.furnish("owner")
    body, known = GOOD | settings, f"app-owner-{managed.tag}"
    update = {name: value for name, value in body.items() if name != "name"}
    got = [
        await _refused_by_api(managed, "AddOIDCApp", body, "/oidc", place),
        await _refused_by_api(managed, "UpdateOIDCAppConfig", update, f"/{known}/oidc_config", place),
        await _refused_by_apply(managed, "oidcApps", body, place),
        await _refused_by_apply(managed, "oidcApps", body | {"id": known}, place),
    ]

    assert got == [error_code] * 4


@pytest.mark.parametrize("name", BAD_NAMES)
async def test_invalid_app_name_gets_equal_errors_everywhere(managed: Any, name: str) -> None:
    """Applications of both kinds, added, renamed or applied, get USER-002 for a name that cannot be displayed."""
    await managed.furnish("owner")
    known = f"api-owner-{managed.tag}"
    got = [
        await _refused_by_api(managed, "AddOIDCApp", GOOD | {"name": name}, "/oidc", "name"),
        await _refused_by_api(managed, "AddAPIApp", {"name": name}, "/api", "name"),
        await _refused_by_api(managed, "UpdateApp", {"name": name}, f"/{known}", "name"),
        await _refused_by_apply(managed, "oidcApps", GOOD | {"name": name}, "name"),
        await _refused_by_apply(managed, "apiApps", {"name": name, "id": known}, "name"),
    ]

    assert got == ["USER-002"] * 5


async def test_repeated_type_is_stored_once(managed: Any) -> None:
    """The management API and apply both store a repeated response or grant type once."""
    twice = {"responseTypes": [CODE, CODE], "grantTypes": [BY_CODE, BY_CODE]}
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    await managed.users.apply(
        org | {"projects": [{"id": f"p-{managed.tag}", "name": "web", "oidcApps": [GOOD | twice]}]}
    )
    path = f"/management/v1/projects/p-{managed.tag}/apps/oidc"
    body = GOOD | twice | {"name": "other"}
    await call_as(managed, f"{OF}.AddOIDCApp", body, path=path)
    rows = await managed.users.rows("apps", projectId=f"p-{managed.tag}")

    assert [(row["responseTypes"], row["grantTypes"]) for row in rows] == [(["code"], ["authorization_code"])] * 2
