"""No deactivated organization locks the owners of the instance out (decision 0012)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from typing import Any

import pytest
from portico_contracts.console import OWN_APPLICATIONS
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.errors import ServiceError
from portico_users.administrators.member import MongoMembers
from portico_users.documents.planner import Planner

pytestmark = pytest.mark.servers

OF = "portico.management.v1.OrganizationService"
IAM = "portico.admin.v1.MemberService"


async def deactivate(managed: Any, org_id: str, *, by: str) -> ApiResponse:
    headers = {"x-service-orgid": org_id}
    answer: ApiResponse = await call_as(managed, f"{OF}.DeactivateOrg", {}, by=by, headers=headers)
    return answer


async def state_of(managed: Any, org_id: str) -> str:
    (row,) = await managed.users.rows("orgs", _id=org_id)
    return str(row["state"])


async def promote(managed: Any, name: str, role: str) -> None:
    member = {"userId": f"{name}-{managed.tag}", "roles": [role]}
    assert (await call_as(managed, f"{IAM}.AddIAMMember", member, by="iam")).code == 0


@pytest.fixture
async def sole_owner(managed: Any) -> AsyncIterator[None]:
    """The instance has one owner, "iam". Other tests have owners in the same database."""
    members = managed.users.parts.mongo.database["members"]
    others = [
        row
        for row in await managed.users.rows("members", scopeId="instance", roles="IAM_OWNER")
        if row["userId"] != f"iam-{managed.tag}"
    ]
    others_only = {"_id": {"$in": [row["_id"] for row in others]}}
    await members.update_many(others_only, {"$set": {"roles": ["IAM_OWNER_VIEWER"]}})
    yield
    for row in others:
        await members.update_one({"_id": row["_id"]}, {"$set": {"roles": row["roles"]}})


@pytest.mark.parametrize("role", ["IAM_ORG_MANAGER", ""])
async def test_organization_of_an_instance_owner_is_not_deactivated_by_others(managed: Any, role: str) -> None:
    """A manager of organizations, or the owner of that organization, would sign the instance owner out (MG-01)."""
    if role:
        await promote(managed, "foreign", role)
    refused = await deactivate(managed, managed.org_id, by="foreign" if role else "owner")

    assert (refused.code, refused.error_code) == (7, "USER-712")
    assert await state_of(managed, managed.org_id) == "active"


async def test_managers_deactivate_organizations_with_equal_members(managed: Any) -> None:
    """Roles in the instance that the caller covers do not matter, nor roles in the organization."""
    await promote(managed, "self", "IAM_ORG_MANAGER")
    await promote(managed, "foreign", "IAM_ORG_MANAGER")

    assert (await deactivate(managed, managed.other_org_id, by="self")).code == 0


async def test_removed_role_in_the_instance_does_not_matter(managed: Any) -> None:
    """The membership of a former instance owner stays stored, without roles."""
    await promote(managed, "foreign", "IAM_OWNER")
    await promote(managed, "self", "IAM_ORG_MANAGER")
    refused = await deactivate(managed, managed.other_org_id, by="self")
    path = f"/admin/v1/members/foreign-{managed.tag}"
    await call_as(managed, f"{IAM}.RemoveIAMMember", {}, by="iam", path=path)

    assert refused.error_code == "USER-712"
    assert (await deactivate(managed, managed.other_org_id, by="self")).code == 0


@pytest.mark.usefixtures("console_app")
async def test_organization_of_the_console_is_not_deactivated(managed: Any) -> None:
    """Without the console's client instance owners could not sign in to reactivate it; other roles may not even ask."""
    (stored,) = await managed.users.rows("projects", _id=OWN_APPLICATIONS)
    await promote(managed, "self", "IAM_ORG_MANAGER")
    refused = [await deactivate(managed, stored["orgId"], by=by) for by in ("self", "iam")]

    assert [(one.code, one.error_code) for one in refused] == [(7, "USER-312"), (9, "USER-739")]
    assert await state_of(managed, stored["orgId"]) == "active"


@pytest.mark.usefixtures("sole_owner")
async def test_organization_of_the_last_instance_owner_is_not_deactivated(managed: Any) -> None:
    """Its owner could not reactivate it, because a user of an inactive organization is unknown (USER-835)."""
    refused = await deactivate(managed, managed.org_id, by="iam")
    await promote(managed, "foreign", "IAM_OWNER")
    lock = {"path": f"/v2/users/foreign-{managed.tag}/lock", "by": "iam"}
    await call_as(managed, "portico.user.v2.UserService.LockUser", {}, **lock)
    locked = await deactivate(managed, managed.org_id, by="iam")
    lock["path"] = lock["path"].replace("/lock", "/unlock")
    await call_as(managed, "portico.user.v2.UserService.UnlockUser", {}, **lock)

    assert [(one.code, one.error_code) for one in (refused, locked)] == [(9, "USER-835")] * 2
    assert (await deactivate(managed, managed.org_id, by="iam")).code == 0
    reactivated = await call_as(
        managed, f"{OF}.ReactivateOrg", {}, by="foreign", headers={"x-service-orgid": managed.org_id}
    )
    assert reactivated.code == 0


@pytest.mark.usefixtures("sole_owner")
async def test_organizations_of_the_last_two_owners_are_not_both_deactivated(
    managed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two calls that both find the other owner active, one is refused (USER-835)."""
    await promote(managed, "foreign", "IAM_OWNER")
    together, list_owners, calls = asyncio.Barrier(2), MongoMembers.list_owners, count()

    async def list_together(members: MongoMembers) -> Any:
        found = await list_owners(members)
        if next(calls) < together.parties:
            await together.wait()
        return found

    monkeypatch.setattr(MongoMembers, "list_owners", list_together)
    both = managed.org_id, managed.other_org_id
    answers = await asyncio.gather(*(deactivate(managed, org_id, by="iam") for org_id in both))
    states = [await state_of(managed, org_id) for org_id in both]

    assert sorted((one.code, one.error_code) for one in answers) == [(0, ""), (9, "USER-835")]
    assert sorted(states) == ["active", "inactive"]


def inactive_organization(managed: Any) -> dict[str, Any]:
    org = managed.users.organization(id=managed.org_id, projects=[], humans=[], state="inactive")
    return {"organizations": [org]}


def owner_without_role(managed: Any) -> dict[str, Any]:
    return {"organizations": [], "members": [{"user": f"iam-{managed.tag}", "roles": ["IAM_OWNER_VIEWER"]}]}


@pytest.mark.usefixtures("sole_owner")
@pytest.mark.parametrize("document", [inactive_organization, owner_without_role])
async def test_document_relies_on_the_owner_who_stays(
    managed: Any, monkeypatch: pytest.MonkeyPatch, document: Any
) -> None:
    """A document does not take an owner if the other one's organization was deactivated since the plan (USER-012)."""
    await promote(managed, "foreign", "IAM_OWNER")
    plan = Planner.plan

    async def plan_too_early(planner: Planner, *arguments: Any, **more: Any) -> Any:
        steps = await plan(planner, *arguments, **more)
        assert (await deactivate(managed, managed.other_org_id, by="iam")).code == 0
        return steps

    monkeypatch.setattr(Planner, "plan", plan_too_early)
    with pytest.raises(ServiceError, match=r"USER-012"):
        await managed.users.apply_document(document(managed))


@pytest.mark.usefixtures("sole_owner")
@pytest.mark.parametrize("document", [inactive_organization, owner_without_role])
async def test_call_relies_on_the_owner_who_stays(managed: Any, monkeypatch: pytest.MonkeyPatch, document: Any) -> None:
    """The call reads again if a document takes the other owner since it has read the owners (USER-835)."""
    await promote(managed, "foreign", "IAM_OWNER")
    list_owners, calls = MongoMembers.list_owners, count()

    async def list_too_early(members: MongoMembers) -> Any:
        found = await list_owners(members)
        if next(calls) == 0:
            await managed.users.apply_document(document(managed))
        return found

    monkeypatch.setattr(MongoMembers, "list_owners", list_too_early)

    assert (await deactivate(managed, managed.other_org_id, by="iam")).error_code == "USER-835"


@pytest.mark.usefixtures("sole_owner")
async def test_other_organizations_need_no_second_owner(managed: Any) -> None:
    """The last instance owner deactivates organizations in which there is none."""
    assert (await deactivate(managed, managed.other_org_id, by="iam")).code == 0
