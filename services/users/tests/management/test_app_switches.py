"""Settings of an application that are off until turned on."""

from __future__ import annotations

from typing import Any

import pytest

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers

SETTINGS = pytest.mark.parametrize(
    ("name", "field"),
    [
        ("strictAuthMethod", "strict_auth_method"),
        ("plainOAuth", "plain_oauth"),
        ("requirePushedAuthorizationRequests", "require_pushed_authorization_requests"),
    ],
)


@SETTINGS
async def test_setting_is_off_by_default(managed: Any, name: str, field: str) -> None:
    """An update without the setting keeps it, so that unaware clients do not disable it."""

    async def shown() -> tuple[object, bool]:
        config = (await on_apps(managed, "GetAppByID", f"/{id}")).body["app"]["oidcConfig"]
        return config.get(name, False), getattr(await managed.users.client(config["clientId"]), field)

    await managed.furnish("owner")
    id = (await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE)).body["appId"]
    found = [await shown()]
    changes: tuple[dict[str, Any], ...] = ({name: True}, {"devMode": True}, {name: False})
    for members in changes:
        changed = await on_apps(managed, "UpdateOIDCAppConfig", f"/{id}/oidc_config", **CODE, **members)
        assert changed.code == 0, members
        found.append(await shown())

    assert found == [(False, False), (True, True), (True, True), (False, False)]


@SETTINGS
async def test_declared_setting_reaches_token(users_world: Any, name: str, field: str) -> None:
    """In a document the setting defaults to false, and applying again restores the document's value."""
    told = []
    for members in ({}, {name: True}, {}):
        await users_world.apply(users_world.only_apps(oidc=[users_world.app(**members)]))
        told.append(getattr(await users_world.client(f"shop-{users_world.tag}"), field))

    assert told == [False, True, False]
