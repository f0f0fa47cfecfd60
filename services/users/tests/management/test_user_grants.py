from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_contracts.users import GET_ROLES, GetRoles
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

Grant = Callable[..., Awaitable[ApiResponse]]
OF = "portico.management.v1.UserGrantService"
USERS = "/management/v1/users"


@pytest.fixture
async def on_grant(managed: Any) -> Grant:
    roles = [{"roleKey": "reader"}, {"roleKey": "writer"}]
    projects = [{"id": f"{name}-{managed.tag}", "name": name, "roles": roles} for name in ("shop", "bank")]
    for org_id, of_it in ((managed.org_id, projects[:1]), (managed.other_org_id, projects[1:])):
        await managed.users.apply(
            {"id": org_id, "name": org_id, "primaryDomain": managed.domain(org_id), "projects": of_it}
        )

    async def call(method: str, body: Any, path: str, *, by: str = "owner", **more: Any) -> ApiResponse:
        return await call_as(managed, f"{OF}.{method}", body, by=by, path=USERS + path, **more)

    return call


def _wanted(managed: Any, *roles: str, project: str = "shop") -> dict[str, Any]:
    return {"projectId": f"{project}-{managed.tag}", "roleKeys": list(roles)}


async def _roles(managed: Any, project: str = "shop") -> set[str]:
    ask = GetRoles(user_id=f"self-{managed.tag}", project_ids=(f"{project}-{managed.tag}",))
    roles = (await managed.users.call(GET_ROLES, ask)).roles
    return set(roles.get(f"{project}-{managed.tag}", {}))


async def test_active_grant_is_in_tokens(managed: Any, on_grant: Grant) -> None:
    """Adding, replacing, deactivating, reactivating and removing a grant are events of the user."""
    path = f"/self-{managed.tag}/grants"
    added = await on_grant("AddUserGrant", _wanted(managed, "writer", "reader"), path)
    one = f"{path}/{added.body['userGrantId']}"
    assert await _roles(managed) == {"reader", "writer"}
    assert added.body["details"]["sequence"] == "2"

    assert (await on_grant("UpdateUserGrant", {"roleKeys": ["reader"]}, one)).code == 0
    assert await _roles(managed) == {"reader"}
    assert (await on_grant("DeactivateUserGrant", {}, f"{one}/_deactivate")).code == 0
    assert await _roles(managed) == set()
    assert (await on_grant("DeactivateUserGrant", {}, f"{one}/_deactivate")).error_code == "USER-700"
    read = (await on_grant("GetUserGrantByID", {}, one)).body["userGrant"]
    assert read["state"] == "USER_GRANT_STATE_INACTIVE"
    assert read["roleKeys"] == ["reader"]

    assert (await on_grant("ReactivateUserGrant", {}, f"{one}/_reactivate")).code == 0
    assert await _roles(managed) == {"reader"}
    assert (await on_grant("RemoveUserGrant", {}, one)).body["details"]["sequence"] == "6"
    assert await _roles(managed) == set()
    assert (await on_grant("GetUserGrantByID", {}, one)).error_code == "USER-724"


@pytest.mark.parametrize(
    ("roles", "error_code", "fields"),
    [
        ([], "USER-303", ["roleKeys"]),
        (["reader", "owner"], "USER-042", ["roleKeys[1]"]),
    ],
)
async def test_only_roles_of_the_project_can_be_granted(
    managed: Any, on_grant: Grant, roles: list[str], error_code: str, fields: list[str]
) -> None:
    """Other roles are refused when a user grant is created and when it is changed."""
    path = f"/self-{managed.tag}/grants"
    refused = await on_grant("AddUserGrant", _wanted(managed, *roles), path)
    assert (refused.error_code, refused.fields) == (error_code, fields)

    added = await on_grant("AddUserGrant", _wanted(managed, "reader"), path)
    update = await on_grant("UpdateUserGrant", {"roleKeys": roles}, f"{path}/{added.body['userGrantId']}")
    assert (update.error_code, update.fields) == (error_code, fields)


async def test_one_grant_per_project(managed: Any, on_grant: Grant) -> None:
    """A second grant is refused, and so is an update without a change."""
    path = f"/self-{managed.tag}/grants"
    added = await on_grant("AddUserGrant", _wanted(managed, "reader"), path)

    assert (await on_grant("AddUserGrant", _wanted(managed, "writer"), path)).error_code == "USER-725"
    again = await on_grant("UpdateUserGrant", {"roleKeys": ["reader"]}, f"{path}/{added.body['userGrantId']}")
    assert again.error_code == "USER-702"


async def test_project_of_another_organization_is_unknown(managed: Any, on_grant: Grant) -> None:
    """Only the project's own organization grants its roles (MG-01, MG-04)."""
    path = f"/self-{managed.tag}/grants"
    refused = await on_grant("AddUserGrant", _wanted(managed, "reader", project="bank"), path)
    unknown = await on_grant("AddUserGrant", _wanted(managed, "reader", project="none"), path)

    assert refused == unknown
    assert refused.error_code == "USER-705"


async def test_grant_belongs_to_the_granting_organization(managed: Any, on_grant: Grant) -> None:
    """The user's own organization can neither remove nor list it."""
    path = f"/self-{managed.tag}/grants"
    headers = {"x-service-orgid": managed.other_org_id}
    wanted = _wanted(managed, "reader", project="bank")
    assert (await on_grant("AddUserGrant", wanted, path, by="foreign")).error_code == "USER-315"
    added = await on_grant("AddUserGrant", wanted, path, by="iam", headers=headers)
    one = f"{path}/{added.body['userGrantId']}"
    assert await _roles(managed, "bank") == {"reader"}

    assert (await on_grant("RemoveUserGrant", {}, one)).error_code == "USER-724"
    assert (await on_grant("GetUserGrantByID", {}, one, by="self")).code == 0
    listed = {by: await on_grant("ListUserGrants", {}, "/grants/_search", by=by) for by in ("owner", "foreign")}
    assert "totalResult" not in listed["owner"].body["details"]
    assert listed["foreign"].body["details"]["totalResult"] == "1"
    assert (await on_grant("RemoveUserGrant", {}, one, by="foreign")).code == 0


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"userIdQuery": {"userId": "self-{tag}"}}, ["self"]),
        ({"projectIdQuery": {"projectId": "shop-{tag}"}}, ["robot", "self"]),
        ({"projectIdQuery": {"projectId": "bank-{tag}"}}, []),
        ({"roleKeyQuery": {"roleKey": "writer"}}, ["robot"]),
    ],
)
async def test_grants_are_listed_with_filters(managed: Any, on_grant: Grant, query: Any, found: list[str]) -> None:
    """Grants are sorted by user name and include the user."""
    for name, role in (("self", "reader"), ("robot", "writer")):
        await on_grant("AddUserGrant", _wanted(managed, role), f"/{name}-{managed.tag}/grants")
    condition = {
        kind: {member: text.format(tag=managed.tag) for member, text in inner.items()} for kind, inner in query.items()
    }
    body = {"query": {"asc": True}, "queries": [condition]}
    listed = await on_grant("ListUserGrants", body, "/grants/_search")

    assert [grant["userName"].split("-")[0] for grant in listed.body.get("result", [])] == found
    assert int(listed.body["details"].get("totalResult", 0)) == len(found)
