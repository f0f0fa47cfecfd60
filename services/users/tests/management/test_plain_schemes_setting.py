"""Private-use schemes without a dot (RFC 8252 section 8.4, decision 0111)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_oauth.errors import ServiceError

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers

URI = "cursor://app/callback"
PLAIN: dict[str, Any] = {**CODE, "redirectUris": [URI], "postLogoutRedirectUris": ["oc://ios.owncloud.com"]}
NATIVE: dict[str, Any] = {"appType": "OIDC_APP_TYPE_NATIVE", "authMethodType": "OIDC_AUTH_METHOD_TYPE_NONE"}
REASON = "only native applications with plainSchemes may use it"


async def test_native_application_uses_them_with_the_setting(managed: Any) -> None:
    """Off by default; an update that does not name the setting keeps it, and one that turns it off needs other URIs."""
    await managed.furnish("owner")
    refused = [
        await on_apps(managed, "AddOIDCApp", "/oidc", name="app", **PLAIN, **members)
        for members in (NATIVE, {"plainSchemes": True}, {"plainSchemes": False, **NATIVE})
    ]
    added = await on_apps(managed, "AddOIDCApp", "/oidc", name="app", **PLAIN, **NATIVE, plainSchemes=True)
    path = f"/{added.body['appId']}/oidc_config"
    kept = await on_apps(managed, "UpdateOIDCAppConfig", path, **PLAIN, **NATIVE, devMode=True)
    off = await on_apps(managed, "UpdateOIDCAppConfig", path, **PLAIN, **NATIVE, plainSchemes=False)
    client = await managed.users.client(added.body["clientId"])

    assert [(one.error_code, one.fields) for one in (*refused, off)] == [("USER-791", ["redirectUris[0]"])] * 4
    assert REASON in str(refused[0].body)
    assert kept.code == 0, kept.body
    assert (client.plain_schemes, client.redirect_uris) == (True, (URI,))


async def test_schemes_that_no_app_has_stay_refused(managed: Any) -> None:
    await managed.furnish("owner")
    wrong = (
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///a",
        "intent://a",
        "mailto:a@b.example",
        "ws://a.example",
    )
    found = {
        uri: (
            await on_apps(
                managed,
                "AddOIDCApp",
                "/oidc",
                name="app",
                **CODE | {"redirectUris": [uri]},
                **NATIVE,
                plainSchemes=True,
            )
        ).error_code
        for uri in wrong
    }

    assert found == dict.fromkeys(wrong, "USER-020")


async def test_declared_setting_reaches_authz(users_world: Any) -> None:
    """Without it the error of the document has the reason and the setting, as `portico apply` prints it."""
    app = users_world.app(redirectUris=[URI], appType="OIDC_APP_TYPE_NATIVE")
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(users_world.only_apps(oidc=[app]))
    await users_world.apply(users_world.only_apps(oidc=[{**app, "plainSchemes": True}]))

    assert (refused.value.id, REASON in refused.value.text) == ("USER-791", True)
    assert (await users_world.client(f"shop-{users_world.tag}")).plain_schemes
