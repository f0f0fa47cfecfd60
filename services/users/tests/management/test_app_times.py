"""Times and the weakest sign-in of an application (decision 0148)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import TokenLifetimes
from portico_fakes.management_api import call_as

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers

WEB: dict[str, Any] = {**CODE, "redirectUris": ["https://shop.example/cb"]}
TIMES: dict[str, Any] = {
    "defaultMaxAgeSeconds": 300,
    "sessionSeconds": 3_600,
    "sessionIdleSeconds": 600,
    "accessTokenSeconds": 120,
    "idTokenSeconds": 90,
    "refreshTokenIdleSeconds": 86_400,
    "refreshTokenSeconds": 172_800,
    "minimumAcr": "MINIMUM_ACR_PHR",
    "accessTokenAcrAssertion": True,
}
INSTANCE: dict[str, Any] = {
    "accessTokenLifetime": "60s",
    "idTokenLifetime": "3600s",
    "refreshTokenIdleExpiration": "2592000s",
    "refreshTokenExpiration": "86400s",
}


async def test_settings_reach_authz_and_token(managed: Any) -> None:
    """An update that does not name them keeps them; what the instance makes shorter stays shorter."""
    await managed.furnish("owner", "iam")
    added = await on_apps(managed, "AddOIDCApp", "/oidc", name="app", **WEB, **TIMES)
    path = f"/{added.body['appId']}/oidc_config"
    kept = await on_apps(managed, "UpdateOIDCAppConfig", path, **WEB, devMode=True)
    client = await managed.users.client(added.body["clientId"])
    changed = await call_as(managed, "portico.admin.v1.SettingsService.UpdateOIDCSettings", INSTANCE, by="iam")
    limited = await managed.users.client(added.body["clientId"])

    assert (added.code, kept.code, changed.code) == (0, 0, 0), (added.body, kept.body, changed.body)
    assert (client.default_max_age_seconds, client.session_seconds, client.session_idle_seconds) == (300, 3_600, 600)
    assert client.access_token_acr
    assert (client.minimum_acr, client.lifetimes) == ("phr", TokenLifetimes(120, 90, 86_400, 172_800))
    assert limited.lifetimes == TokenLifetimes(60, 90, 86_400, 86_400)


@pytest.mark.parametrize(
    ("settings", "field", "error"),
    [
        *(({name: 59}, name, "USER-934") for name in TIMES if name.endswith("Seconds")),
        ({"accessTokenSeconds": 3_601}, "accessTokenSeconds", "USER-935"),
        ({"idTokenSeconds": 3_601}, "idTokenSeconds", "USER-935"),
        ({"refreshTokenIdleSeconds": 2_592_001}, "refreshTokenIdleSeconds", "USER-935"),
        ({"sessionSeconds": 31_536_001}, "sessionSeconds", None),
        ({"minimumAcr": 9}, "minimumAcr", None),
    ],
)
async def test_impossible_times_are_refused(
    managed: Any, settings: dict[str, Any], field: str, error: str | None
) -> None:
    await managed.furnish("owner")
    refused = await on_apps(managed, "AddOIDCApp", "/oidc", name="app", **WEB, **settings)

    assert (refused.code, refused.fields) == (3, [field])
    assert error in (None, refused.error_code)


async def test_declared_times_are_in_force(users_world: Any) -> None:
    app = users_world.app(redirectUris=["https://shop.example/cb"], **TIMES | {"minimumAcr": "phr"})
    await users_world.apply(users_world.only_apps(oidc=[app]))
    client = await users_world.client(f"shop-{users_world.tag}")
    [stored] = await users_world.rows("apps", clientId=f"shop-{users_world.tag}")

    assert (client.session_seconds, client.minimum_acr) == (3_600, "phr")
    assert stored["accessTokenSeconds"] == 120
