from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.console import OWN_APPLICATIONS
from portico_fakes.management_api import call_as

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers

ADD_MEMBER = "portico.admin.v1.MemberService.AddIAMMember"
ADD_PROJECT_MEMBER = "portico.management.v1.MemberService.AddProjectMember"


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
    """A request that changes other settings leaves this one as it is, on or off."""
    await managed.furnish("owner")
    told = []
    for by, access in (("iam", True), ("owner", False)):
        id = await added(managed, by, managementAccess=access)
        answer = await on_apps(managed, "UpdateOIDCAppConfig", f"/{id}/oidc_config", **CODE, devMode=True, by=by)
        told.append((answer.error_code, await shown(managed, id)))

    assert told == [("", (True, True)), ("", (False, False))]


async def added(managed: Any, name: str = "a", **settings: Any) -> str:
    answer = await on_apps(managed, "AddOIDCApp", "/oidc", name=name, **CODE, **settings, by="iam")
    id: str = answer.body["appId"]
    return id


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
    ("RemovePreviousClientSecret", "/{id}/previous_secret", {}),
    ("AddAppKey", "/{id}/keys", {"type": "KEY_TYPE_JSON"}),
    ("RemoveAppKey", "/{id}/keys/a", {}),
    ("DeactivateApp", "/{id}/_deactivate", {}),
    ("ReactivateApp", "/{id}/_reactivate", {}),
    ("RemoveApp", "/{id}", {}),
]


async def test_only_instance_owners_change_own_applications(managed: Any, console_app: str) -> None:
    """Otherwise a manager of all organizations could redirect sign-ins of the console to their own address
    (decision 0085).
    """
    manager = {"userId": f"self-{managed.tag}", "roles": ["IAM_ORG_MANAGER"]}
    await call_as(managed, ADD_MEMBER, manager, path="/admin/v1/members", by="iam")
    read = await on_apps(managed, "GetAppByID", f"/{console_app}", project=OWN_APPLICATIONS, by="self")
    refused = {}
    for method, path, body in CHANGES:
        answer = await on_apps(
            managed, method, path.format(id=console_app), project=OWN_APPLICATIONS, by="self", **body
        )
        refused[method] = answer.error_code

    assert read.body["app"]["oidcConfig"]["managementAccess"] is True
    assert refused == {method: "USER-312" for method, _path, _body in CHANGES}


async def test_own_applications_stay(managed: Any, console_app: str) -> None:
    """Without them no administrator signs in to the console: one wrong click would end that for good."""
    projects = f"/management/v1/projects/{OWN_APPLICATIONS}"
    refused = [
        await call_as(managed, f"portico.management.v1.{service}.{verb}", {}, path=f"{path}{suffix}", by="iam")
        for service, path, noun in (
            ("ProjectService", projects, "Project"),
            ("AppService", f"{projects}/apps/{console_app}", "App"),
        )
        for verb, suffix in ((f"Remove{noun}", ""), (f"Deactivate{noun}", "/_deactivate"))
    ]

    assert [one.error_code for one in refused] == ["USER-740"] * 4
    (project,) = await managed.users.rows("projects", _id=OWN_APPLICATIONS)
    (app,) = await managed.users.rows("apps", _id=console_app)
    assert (project["state"], app["state"]) == ("active", "active")


@pytest.mark.parametrize("listed", [False, True], ids=["project omitted", "applications omitted"])
async def test_applications_of_the_console_are_not_pruned(managed: Any, console_app: str, *, listed: bool) -> None:
    """The ids of removed objects are never used again, so no administrator could sign in to the console."""
    (project,) = await managed.users.rows("projects", _id=OWN_APPLICATIONS)
    (org,) = await managed.users.rows("orgs", _id=project["orgId"])
    projects = [{"id": OWN_APPLICATIONS, "name": project["name"], "oidcApps": []}] if listed else []
    document = {"organizations": [{"id": org["_id"], "name": org["name"], "projects": projects}]}
    # A plan only: the organization is that of another test.
    planned = await managed.users.apply_document(document, prune=True, check=True)

    assert {OWN_APPLICATIONS, console_app}.isdisjoint(one.id for one in planned.changes if one.action == "removed")


async def test_only_instance_owners_change_applications_with_access(managed: Any) -> None:
    """Otherwise an owner of the project, the organization or all organizations could redirect a sign-in of an instance
    owner to their own address, and get a token with the permissions of that owner (decision 0085).
    """
    await managed.furnish("owner")
    id = await added(managed, managementAccess=True)
    project_owner = {"userId": f"self-{managed.tag}", "roles": ["PROJECT_OWNER"]}
    members = f"/management/v1/projects/p-owner-{managed.tag}/members"
    await call_as(managed, ADD_PROJECT_MEMBER, project_owner, path=members)
    manager = {"userId": f"foreign-{managed.tag}", "roles": ["IAM_ORG_MANAGER"]}
    await call_as(managed, ADD_MEMBER, manager, path="/admin/v1/members", by="iam")
    before = await managed.users.rows("apps", _id=id)
    changes = CHANGES[1:]
    refused = {
        (by, method): (await on_apps(managed, method, path.format(id=id), by=by, **body)).error_code
        for by in ("self", "owner", "foreign")
        for method, path, body in changes
    }

    assert refused == {
        (by, method): "USER-312" for by in ("self", "owner", "foreign") for method, _path, _body in changes
    }
    assert await managed.users.rows("apps", _id=id) == before


async def test_owners_of_a_project_change_its_other_applications(managed: Any) -> None:
    """Access of one application restricts neither its project nor the others, and a role may still read it."""
    await managed.furnish("owner")
    id = await added(managed, managementAccess=True)
    other = await added(managed, "other")
    read = await on_apps(managed, "GetAppByID", f"/{id}")
    changed = await on_apps(managed, "UpdateOIDCAppConfig", f"/{other}/oidc_config", **CODE, devMode=True)

    assert (read.error_code, changed.error_code) == ("", "")


async def test_owners_take_over_the_application_when_access_ends(managed: Any) -> None:
    """Without the setting the roles of the organization decide again."""
    await managed.furnish("owner")
    id = await added(managed, managementAccess=True)
    await on_apps(managed, "UpdateOIDCAppConfig", f"/{id}/oidc_config", **CODE, managementAccess=False, by="iam")
    changed = await on_apps(managed, "UpdateOIDCAppConfig", f"/{id}/oidc_config", **CODE, devMode=True)

    assert changed.error_code == ""
