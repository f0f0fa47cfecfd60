from __future__ import annotations

from typing import Any

import pytest

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers


async def shown(managed: Any, app_id: str) -> tuple[object, str]:
    config = (await on_apps(managed, "GetAppByID", f"/{app_id}")).body["app"]["oidcConfig"]
    return config.get("rolesClaim", ""), (await managed.users.client(config["clientId"])).roles_claim


async def test_setting_reaches_token(managed: Any) -> None:
    """The claim is set at creation and changed; an update without it resets it, like every other text setting."""
    await managed.furnish("owner")
    id = (await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE, rolesClaim="groups")).body["appId"]
    found = [await shown(managed, id)]
    for members in ({"rolesClaim": "https://shop.example/roles"}, {}):
        changed = await on_apps(managed, "UpdateOIDCAppConfig", f"/{id}/oidc_config", **CODE, **members)
        assert changed.code == 0, members
        found.append(await shown(managed, id))

    assert found == [("groups",) * 2, ("https://shop.example/roles",) * 2, ("",) * 2]


async def test_no_other_claim_can_be_replaced(managed: Any) -> None:
    """Claims of the protocol, of users and of Portico are refused, and so are invalid names (JW-20)."""
    await managed.furnish("owner")
    taken = ("sub", "aud", "exp", "iss", "scope", "client_id", "active", "acr", "sid", "name", "email", "address")
    reserved = ("urn:portico:project:roles", "urn:portico:x", "URN:Portico:x", "urn:zitadel:iam:x", "urn:ZITADEL:x")
    malformed = ("1st", "a b", "gröups", "a" * 101, ".", "groups\n")
    fields = {
        claim: (await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE, rolesClaim=claim)).fields
        for claim in (*taken, *reserved, *malformed)
    }

    assert fields == {claim: ["rolesClaim"] for claim in fields}


async def test_declared_setting_reaches_token(users_world: Any) -> None:
    """Applying a document again without the setting removes it."""
    told = []
    for members in ({"rolesClaim": "roles"}, {}):
        await users_world.apply(users_world.only_apps(oidc=[users_world.app(**members)]))
        told.append((await users_world.client(f"shop-{users_world.tag}")).roles_claim)

    assert told == ["roles", ""]
