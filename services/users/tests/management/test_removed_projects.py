"""What a removed project takes with it: its applications, so that others can have their resources."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_contracts.users import GET_USED_GRANT_TYPES, AuthMethod, GetUsedGrantTypes
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.grant_types import DEVICE_CODE
from portico_users.applications.app_record import App
from portico_users.applications.store import APPS

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers

PROJECTS = "portico.management.v1.ProjectService"


async def add_project(managed: Any) -> str:
    await managed.furnish("owner")
    added = await call_as(managed, f"{PROJECTS}.AddProject", {"name": "Short"}, path="/management/v1/projects")
    return str(added.body["id"])


async def store(managed: Any, project: str, name: str, **settings: Any) -> None:
    id, method = f"{name}-{managed.tag}", AuthMethod.NONE
    place = {"org_id": managed.org_id, "project_id": project}
    app = App(id=id, client_id=id, name=name, auth_method=method, **place, **settings)
    await managed.users.parts.mongo.database["apps"].insert_one(APPS.document(app))


async def remove(managed: Any, id: str) -> ApiResponse:
    return await call_as(managed, f"{PROJECTS}.RemoveProject", {}, path=f"/management/v1/projects/{id}")


async def test_resource_of_a_removed_project_is_free(managed: Any) -> None:
    """Its applications are deleted, each with an event, and another API can have the resource."""
    uri, project = f"https://{managed.tag}.example/orders", await add_project(managed)
    first = await on_apps(managed, "AddAPIApp", "/api", project=project, name="Orders", resources=[uri])
    second = await on_apps(managed, "AddOIDCApp", "/oidc", project=project, name="Shop", **CODE)
    assert (await remove(managed, project)).code == 0
    again = await on_apps(managed, "AddAPIApp", "/api", name="Orders", resources=[uri])
    ids = sorted(one.body["appId"] for one in (first, second))
    stored = await managed.users.rows("apps", projectId=project)
    events = await managed.users.rows("events", object={"$in": ids}, action="deleted")

    assert again.code == 0, again.body
    assert {row["_id"]: (row["state"], row["secretHash"]) for row in stored} == dict.fromkeys(ids, ("deleted", ""))
    assert sorted(row["object"] for row in events) == ids


@pytest.fixture
async def no_other_devices(managed: Any) -> AsyncIterator[None]:
    """Other tests have applications for devices in the same database."""
    apps = managed.users.parts.mongo.database[APPS.name]
    others = {"_id": {"$in": [row["_id"] for row in await managed.users.rows("apps", optionalGrants=DEVICE_CODE)]}}
    await apps.update_many(others, {"$pull": {"optionalGrants": DEVICE_CODE}})
    yield
    await apps.update_many(others, {"$push": {"optionalGrants": DEVICE_CODE}})


@pytest.mark.usefixtures("no_other_devices")
async def test_grant_type_of_a_removed_project_is_not_advertised(managed: Any) -> None:
    """Discovery offers a grant type while an application has it that exists."""
    project = await add_project(managed)

    async def used() -> tuple[str, ...]:
        ask = GetUsedGrantTypes(grant_types=(DEVICE_CODE,))
        return tuple((await managed.users.call(GET_USED_GRANT_TYPES, ask)).grant_types)

    before = await used()
    body = CODE | {"grantTypes": [*CODE["grantTypes"], "OIDC_GRANT_TYPE_DEVICE_CODE"]}
    assert (await on_apps(managed, "AddOIDCApp", "/oidc", project=project, name="Device", **body)).code == 0
    during = await used()
    assert (await remove(managed, project)).code == 0

    assert (before, during, await used()) == ((), (DEVICE_CODE,), ())


async def test_interrupted_removal_of_applications_is_continued(managed: Any) -> None:
    """Repeating the call removes those that are left; afterwards the project is unknown."""
    project = await add_project(managed)
    assert (await remove(managed, project)).code == 0
    await store(managed, project, "left")
    again = [await remove(managed, project) for _ in range(2)]
    [row] = await managed.users.rows("apps", projectId=project)

    assert (again[0].code, again[1].error_code) == (0, "USER-705")
    assert row["state"] == "deleted"


async def test_applications_of_documents_stay(managed: Any) -> None:
    """Such applications belong to the project that a policy names, and the next policy can name another one."""
    project, url = await add_project(managed), f"https://{managed.tag}.example/client"
    await store(managed, project, url, metadata_document=True)
    assert (await remove(managed, project)).code == 0

    assert [row["state"] for row in await managed.users.rows("apps", projectId=project)] == ["active"]
