from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

Project = Callable[..., Awaitable[ApiResponse]]
OF = "portico.management.v1.ProjectService"
PATH = "/management/v1/projects"


@pytest.fixture
def on_project(managed: Any) -> Project:
    async def call(method: str, body: Any = None, path: str = "", *, by: str = "owner", **more: Any) -> ApiResponse:
        return await call_as(managed, f"{OF}.{method}", body or {}, by=by, path=PATH + path, **more)

    return call


@pytest.fixture
async def project_id(managed: Any, on_project: Project) -> str:
    return str((await on_project("AddProject", {"name": f"Shop {managed.tag}"})).body["id"])


async def test_project_is_created_changed_and_removed(managed: Any, on_project: Project) -> None:
    """Every operation is one event of the project, and changes are read back."""
    added = await on_project("AddProject", {"name": f"Web {managed.tag}", "projectRoleAssertion": True})
    id = added.body["id"]
    assert added.body["details"]["sequence"] == "1"
    assert added.body["details"]["resourceOwner"] == managed.org_id

    updated = await on_project("UpdateProject", {"name": f"Web 2 {managed.tag}"}, f"/{id}")
    assert updated.body["details"]["sequence"] == "2"
    assert (await on_project("DeactivateProject", {}, f"/{id}/_deactivate")).code == 0
    project = (await on_project("GetProjectByID", {}, f"/{id}")).body["project"]
    assert project["name"] == f"Web 2 {managed.tag}"
    assert project["state"] == "PROJECT_STATE_INACTIVE"
    assert "projectRoleAssertion" not in project

    assert (await on_project("ReactivateProject", {}, f"/{id}/_reactivate")).body["details"]["sequence"] == "4"
    assert (await on_project("RemoveProject", {}, f"/{id}")).code == 0
    for method, path in (("GetProjectByID", ""), ("ListProjectRoles", "/roles/_search")):
        assert (await on_project(method, {}, f"/{id}{path}")).error_code == "USER-705"


async def test_project_checks_are_set_and_returned(managed: Any, on_project: Project) -> None:
    """The settings are read back, replaced as a whole, and sent to authz with the client."""
    checks = {"projectRoleCheck": True, "hasProjectCheck": True}
    id = (await on_project("AddProject", {"name": f"Web {managed.tag}", **checks})).body["id"]
    project = (await on_project("GetProjectByID", {}, f"/{id}")).body["project"]
    assert {name: project.get(name) for name in checks} == checks
    kinds = {"responseTypes": ["OIDC_RESPONSE_TYPE_CODE"], "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"]}
    app = {"name": "web", "redirectUris": ["https://shop.example/cb"], **kinds}
    client_id = (
        await call_as(managed, "portico.management.v1.AppService.AddOIDCApp", app, path=f"{PATH}/{id}/apps/oidc")
    ).body["clientId"]
    client = await managed.users.client(client_id)
    assert (client.checks_roles, client.checks_project) == (True, True)

    await on_project("UpdateProject", {"name": f"Web {managed.tag}"}, f"/{id}")
    client = await managed.users.client(client_id)
    assert (client.checks_roles, client.checks_project) == (False, False)


async def test_name_of_a_removed_project_is_free(managed: Any, on_project: Project, project_id: str) -> None:
    """Names are unique among existing projects, in any spelling (MG-08)."""
    name = f"SHOP {managed.tag}"
    assert (await on_project("AddProject", {"name": name})).code == 6

    await on_project("RemoveProject", {}, f"/{project_id}")
    assert (await on_project("AddProject", {"name": name})).code == 0


@pytest.mark.parametrize(("state", "method"), [("active", "_reactivate"), ("inactive", "_deactivate")])
async def test_unchanged_state_is_refused(on_project: Project, project_id: str, state: str, method: str) -> None:
    """Setting the current state again gives code 9."""
    if state == "inactive":
        await on_project("DeactivateProject", {}, f"/{project_id}/_deactivate")
    rpc = "ReactivateProject" if method == "_reactivate" else "DeactivateProject"

    assert (await on_project(rpc, {}, f"/{project_id}/{method}")).code == 9


async def test_update_without_a_change_is_refused(managed: Any, on_project: Project, project_id: str) -> None:
    """An update without a change gives code 9 and publishes no event."""
    refused = await on_project("UpdateProject", {"name": f"Shop {managed.tag}"}, f"/{project_id}")

    assert (refused.code, refused.error_code) == (9, "USER-702")
    rows = await managed.users.rows("projects", _id=project_id)
    assert rows[0]["sequence"] == 1


async def test_list_is_paged_and_filtered(managed: Any, on_project: Project) -> None:
    """The list is sorted by name in the requested direction, with the total, without other organizations' projects."""
    for name in ("alpha", "beta", "gamma"):
        await on_project("AddProject", {"name": f"{name} {managed.tag}"})
    await on_project("AddProject", {"name": f"alpha {managed.tag}"}, by="foreign")
    page = await on_project("ListProjects", {"query": {"offset": 1, "limit": 1, "asc": True}}, "/_search")
    query = {"nameQuery": {"name": "ALPHA", "method": "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE"}}
    named = await on_project("ListProjects", {"queries": [query]}, "/_search")

    assert page.body["details"]["totalResult"] == "3"
    assert [project["name"] for project in page.body["result"]] == [f"beta {managed.tag}"]
    assert [project["details"]["resourceOwner"] for project in named.body["result"]] == [managed.org_id]


async def test_header_selects_the_organization(managed: Any, on_project: Project) -> None:
    """Members of the organization may use it; for others it counts as unknown (MG-01)."""
    headers = {"x-service-orgid": managed.other_org_id}
    added = await on_project("AddProject", {"name": "Theirs"}, by="iam", headers=headers)
    refused = await on_project("AddProject", {"name": "Mine"}, headers=headers)

    assert added.body["details"]["resourceOwner"] == managed.other_org_id
    assert refused.error_code == "USER-313"


async def test_roles_are_added_changed_and_removed(on_project: Project, project_id: str) -> None:
    """Each change is an event of the project; the list is sorted by key."""
    roles = f"/{project_id}/roles"
    bulk = {"roles": [{"key": "writer", "displayName": "Writer", "group": "staff"}, {"key": "admin"}]}
    assert (await on_project("BulkAddProjectRoles", bulk, f"{roles}/_bulk")).body["details"]["sequence"] == "2"
    assert (await on_project("AddProjectRole", {"roleKey": "read/er"}, roles)).code == 0
    assert (await on_project("UpdateProjectRole", {"displayName": "Reader"}, f"{roles}/read%2Fer")).code == 0
    assert (await on_project("RemoveProjectRole", {}, f"{roles}/admin")).code == 0
    listed = await on_project("ListProjectRoles", {"query": {"asc": True}}, f"{roles}/_search")

    assert [(role["key"], role["displayName"]) for role in listed.body["result"]] == [
        ("read/er", "Reader"),
        ("writer", "Writer"),
    ]
    assert listed.body["result"][0]["details"]["sequence"] == "5"


@pytest.mark.parametrize(
    ("condition", "keys"),
    [
        ({"keyQuery": {"key": "Wri", "method": "TEXT_QUERY_METHOD_STARTS_WITH"}}, []),
        ({"keyQuery": {"key": "Wri", "method": "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE"}}, ["writer"]),
        ({"keyQuery": {"key": ".*", "method": "TEXT_QUERY_METHOD_CONTAINS"}}, []),
        ({"displayNameQuery": {"displayName": "e", "method": "TEXT_QUERY_METHOD_ENDS_WITH"}}, ["one"]),
    ],
)
async def test_role_filters_compare_text(on_project: Project, project_id: str, condition: Any, keys: list[str]) -> None:
    """Text is compared with the requested method, never evaluated (MG-10)."""
    bulk = {"roles": [{"key": "writer"}, {"key": "one", "displayName": "A role"}]}
    await on_project("BulkAddProjectRoles", bulk, f"/{project_id}/roles/_bulk")
    listed = await on_project("ListProjectRoles", {"queries": [condition]}, f"/{project_id}/roles/_search")

    assert [role["key"] for role in listed.body.get("result", [])] == keys


@pytest.mark.parametrize(
    ("body", "code", "fields"),
    [
        ({"roles": [{"key": "a"}, {"key": "a"}]}, 6, ["roles[1]"]),
        ({"roles": [{"key": "a"}, {"key": "known"}]}, 6, ["roles[1]"]),
        ({"roles": [{"key": "a"}, {"key": " b"}]}, 3, ["roles[1].roleKey"]),
        ({"roles": []}, 3, ["roles"]),
        ({"roles": [{"key": "x" * 201}]}, 3, ["roles[0].roleKey"]),
    ],
)
async def test_bulk_add_of_roles_is_atomic(
    on_project: Project, project_id: str, body: Any, code: int, fields: list[str]
) -> None:
    """The error has the first invalid role, and nothing is written."""
    await on_project("AddProjectRole", {"roleKey": "known"}, f"/{project_id}/roles")
    refused = await on_project("BulkAddProjectRoles", body, f"/{project_id}/roles/_bulk")
    listed = await on_project("ListProjectRoles", {}, f"/{project_id}/roles/_search")

    assert (refused.code, refused.fields) == (code, fields)
    assert [role["key"] for role in listed.body["result"]] == ["known"]


@pytest.mark.parametrize("method", ["UpdateProjectRole", "RemoveProjectRole"])
async def test_unknown_role_is_not_found(on_project: Project, project_id: str, method: str) -> None:
    """An operation on an unknown role gives code 5."""
    assert (await on_project(method, {}, f"/{project_id}/roles/nothing")).error_code == "USER-704"
