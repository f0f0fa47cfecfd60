from __future__ import annotations

from typing import Any

import pytest

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers

ANY = {"loopbackPorts": "LOOPBACK_PORTS_ANY"}


async def test_only_native_applications_use_any_loopback_port(managed: Any) -> None:
    """The default is the exact port; other applications cannot change it (RFC 8252 section 7.3)."""
    await managed.furnish("owner")
    native = {"appType": "OIDC_APP_TYPE_NATIVE", "authMethodType": "OIDC_AUTH_METHOD_TYPE_NONE"}
    ids = {}
    for name, members in (("exact", {}), ("any", ANY)):
        added = await on_apps(managed, "AddOIDCApp", "/oidc", name=name, **CODE, **native, **members)
        ids[name] = added.body["clientId"]
    web = await on_apps(managed, "AddOIDCApp", "/oidc", name="web app", **CODE, **ANY)

    assert {name: (await managed.users.client(id)).any_loopback_port for name, id in ids.items()} == {
        "exact": False,
        "any": True,
    }
    assert (web.error_code, web.fields) == ("USER-892", ["loopbackPorts"])


async def test_declared_setting_reaches_authz(users_world: Any) -> None:
    app = users_world.app(loopbackPorts="any", appType="OIDC_APP_TYPE_NATIVE")
    await users_world.apply(users_world.only_apps(oidc=[app]))

    assert (await users_world.client(f"shop-{users_world.tag}")).any_loopback_port
