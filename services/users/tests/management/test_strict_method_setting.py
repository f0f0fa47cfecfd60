"""Whether an application keeps to its registered authentication method (``strictAuthMethod``)."""

from __future__ import annotations

from typing import Any

import pytest

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers


async def shown(managed: Any, app_id: str) -> tuple[object, bool]:
    """What the management API shows, and what token gets."""
    config = (await on_apps(managed, "GetAppByID", f"/{app_id}")).body["app"]["oidcConfig"]
    return config.get("strictAuthMethod", False), (await managed.users.client(config["clientId"])).strict_auth_method


async def test_the_setting_is_off_until_it_is_turned_on(managed: Any) -> None:
    """An update without it leaves it as it is: a client that does not know the setting turns nothing off."""
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


async def test_a_declared_setting_reaches_token(users_world: Any) -> None:
    """In a document it is off unless the application turns it on, and applying again restores the document's value."""
    told = []
    for members in ({}, {"strictAuthMethod": True}, {}):
        await users_world.apply(users_world.only_apps(oidc=[users_world.app(**members)]))
        told.append((await users_world.client(f"shop-{users_world.tag}")).strict_auth_method)

    assert told == [False, True, False]
