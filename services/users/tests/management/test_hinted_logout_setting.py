from __future__ import annotations

from typing import Any

import pytest

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers


async def shown(managed: Any, app_id: str) -> tuple[object, bool]:
    config = (await on_apps(managed, "GetAppByID", f"/{app_id}")).body["app"]["oidcConfig"]
    return config.get("hintedLogout"), (await managed.users.client(config["clientId"])).hinted_logout


@pytest.mark.parametrize(
    ("members", "expected"), [({}, True), ({"hintedLogout": True}, True), ({"hintedLogout": False}, False)]
)
async def test_new_application_has_the_setting_it_is_created_with(
    managed: Any, members: dict[str, Any], expected: bool
) -> None:
    """The setting defaults to true and is always shown."""
    await managed.furnish("owner")
    added = await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE, **members)

    assert await shown(managed, added.body["appId"]) == (expected, expected)


async def test_update_without_the_setting_keeps_it_off(managed: Any) -> None:
    """A client that does not know the setting does not enable it by changing something else."""
    await managed.furnish("owner")
    id = (await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE, hintedLogout=False)).body["appId"]
    changed = await on_apps(managed, "UpdateOIDCAppConfig", f"/{id}/oidc_config", **CODE, devMode=True)
    left = await shown(managed, id)
    await on_apps(managed, "UpdateOIDCAppConfig", f"/{id}/oidc_config", **CODE, hintedLogout=True)

    assert changed.code == 0
    assert left == (False, False)
    assert await shown(managed, id) == (True, True)


@pytest.mark.parametrize("value", ["no", 0, [], {}])
async def test_setting_must_be_a_boolean(managed: Any, value: object) -> None:
    """A value of another type gives a documented error with the field."""
    await managed.furnish("owner")
    refused = await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE, hintedLogout=value)

    assert (refused.code, refused.fields) == (3, ["hintedLogout"])


async def test_declared_setting_reaches_authz(users_world: Any) -> None:
    """In a document the setting defaults to true, and applying again restores the document's value."""
    told = []
    for members in ({}, {"hintedLogout": False}, {}):
        await users_world.apply(users_world.only_apps(oidc=[users_world.app(**members)]))
        told.append((await users_world.client(f"shop-{users_world.tag}")).hinted_logout)

    assert told == [True, False, True]
