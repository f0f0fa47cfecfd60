from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.console import OWN_APPLICATIONS
from portico_fakes.management_api import call_as

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers

ADD_MEMBER = "portico.admin.v1.MemberService.AddIAMMember"


async def shown(managed: Any, app_id: str) -> tuple[bool, bool]:
    config = (await on_apps(managed, "GetAppByID", f"/{app_id}")).body["app"]["oidcConfig"]
    return config["managementAccess"], (await managed.users.client(config["clientId"])).management_access


async def test_only_instance_owners_allow_management_access(managed: Any) -> None:
    """An organization owner can neither create such an application nor enable the setting of another."""
    await managed.furnish("owner")
    refused = await on_apps(managed, "AddOIDCApp", "/oidc", name="a", **CODE, managementAccess=True)
    id = (await on_apps(managed, "AddOIDCApp", "/oidc", name="b", **CODE)).body["appId"]
    path = f"/{id}/oidc_config"
    changed = await on_apps(managed, "UpdateOIDCAppConfig", path, **CODE, managementAccess=True)
    before = await shown(managed, id)
    await on_apps(managed, "UpdateOIDCAppConfig", path, **CODE, managementAccess=True, by="iam")

    assert [one.error_code for one in (refused, changed)] == ["USER-738", "USER-738"]
    assert before == (False, False)
    assert await shown(managed, id) == (True, True)


async def test_update_without_the_setting_keeps_it(managed: Any) -> None:
    """An organization owner can change other settings, and repeat this one but not change it."""
    await managed.furnish("owner")
    id = (await on_apps(managed, "AddOIDCApp", "/oidc", name="a", **CODE, managementAccess=True, by="iam")).body[
        "appId"
    ]
    path = f"/{id}/oidc_config"
    without = await on_apps(managed, "UpdateOIDCAppConfig", path, **CODE, devMode=True)
    repeated = await on_apps(managed, "UpdateOIDCAppConfig", path, **CODE, managementAccess=True)
    taken = await on_apps(managed, "UpdateOIDCAppConfig", path, **CODE, managementAccess=False)

    assert [one.error_code for one in (without, repeated, taken)] == ["", "", "USER-738"]
    assert await shown(managed, id) == (True, True)


async def test_declared_setting_reaches_token(users_world: Any) -> None:
    """Documents may set it, because they are the operator's; it defaults to false."""
    told = []
    for members in ({}, {"managementAccess": True}, {}):
        await users_world.apply(users_world.only_apps(oidc=[users_world.app(**members)]))
        told.append((await users_world.client(f"shop-{users_world.tag}")).management_access)

    assert told == [False, True, False]


CHANGES: list[tuple[str, str, dict[str, Any]]] = [
    ("AddOIDCApp", "/oidc", {"name": "a", **CODE}),
    ("UpdateApp", "/{id}", {"name": "a"}),
    ("UpdateOIDCAppConfig", "/{id}/oidc_config", CODE),
    ("RegenerateOIDCClientSecret", "/{id}/oidc_config/_generate_client_secret", {}),
    ("AddAppKey", "/{id}/keys", {"type": "KEY_TYPE_JSON"}),
    ("DeactivateApp", "/{id}/_deactivate", {}),
    ("RemoveApp", "/{id}", {}),
]


async def test_only_instance_owners_change_own_applications(managed: Any) -> None:
    """Otherwise a manager of all organizations could redirect sign-ins of the console to their own address
    (decision 6.1).
    """
    id = f"console-{managed.tag}"
    app = managed.users.app(id=id, clientId=id)
    project = {"id": OWN_APPLICATIONS, "name": "Portico", "oidcApps": [app]}
    await managed.users.apply(managed.users.organization(projects=[project], humans=[]))
    manager = {"userId": f"self-{managed.tag}", "roles": ["IAM_ORG_MANAGER"]}
    await call_as(managed, ADD_MEMBER, manager, path="/admin/v1/members", by="iam")
    read = await on_apps(managed, "GetAppByID", f"/{id}", project=OWN_APPLICATIONS, by="self")
    refused = {}
    for method, path, body in CHANGES:
        answer = await on_apps(managed, method, path.format(id=id), project=OWN_APPLICATIONS, by="self", **body)
        refused[method] = answer.error_code

    assert read.body["app"]["oidcConfig"]["managementAccess"] is True
    assert refused == {method: "USER-312" for method, _path, _body in CHANGES}
