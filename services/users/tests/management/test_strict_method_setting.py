from __future__ import annotations

from typing import Any

import pytest

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers


async def shown(managed: Any, app_id: str) -> tuple[object, bool]:
    config = (await on_apps(managed, "GetAppByID", f"/{app_id}")).body["app"]["oidcConfig"]
    return config.get("strictAuthMethod", False), (await managed.users.client(config["clientId"])).strict_auth_method


async def test_setting_is_off_by_default(managed: Any) -> None:
    """An update without the setting keeps it, so that unaware clients do not disable it."""
    await managed.furnish("owner")
    found = []
    id = (await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE)).body["appId"]
    found.append(await shown(managed, id))
    changes: tuple[dict[str, Any], ...] = ({"strictAuthMethod": True}, {"devMode": True}, {"strictAuthMethod": False})
    for members in changes:
        changed = await on_apps(managed, "UpdateOIDCAppConfig", f"/{id}/oidc_config", **CODE, **members)
        assert changed.code == 0, members
        found.append(await shown(managed, id))

    assert found == [(False, False), (True, True), (True, True), (False, False)]


async def test_declared_setting_reaches_token(users_world: Any) -> None:
    """In a document the setting defaults to false, and applying again restores the document's value."""
    told = []
    for members in ({}, {"strictAuthMethod": True}, {}):
        await users_world.apply(users_world.only_apps(oidc=[users_world.app(**members)]))
        told.append((await users_world.client(f"shop-{users_world.tag}")).strict_auth_method)

    assert told == [False, True, False]
