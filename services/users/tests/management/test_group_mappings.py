"""Who fills a group by hand also maps the groups of the organization's providers to it (decision 0098)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

from .test_groups import Grouping

pytestmark = pytest.mark.servers

JWT = {
    "jwtEndpoint": "https://jwt.example/login",
    "issuer": "https://jwt.example",
    "keysEndpoint": "https://jwt.example/keys",
}


class Mapping(Grouping):
    async def provider(self, name: str, *, by: str = "owner") -> str:
        service, path = ("admin", "/admin/v1/idps/jwt") if by == "iam" else ("management", "/management/v1/idps/jwt")
        body = {"name": f"{name}-{self.tag}", **JWT}
        added = await call_as(
            self.managed, f"portico.{service}.v1.IDPService.Add{self._kind(by)}", body, by=by, path=path
        )
        return str(added.body["idpId"])

    @staticmethod
    def _kind(by: str) -> str:
        return "JWTIDP" if by == "iam" else "OrgJWTIDP"

    async def map(self, name: str, idp_id: str, *groups: str, **body: Any) -> ApiResponse:
        path = f"/{name}-{self.tag}/mappings/{idp_id}"
        return await self.on("SetGroupMapping", path, {"providerGroups": list(groups), **body})

    async def unmap(self, name: str, idp_id: str) -> ApiResponse:
        return await self.on("RemoveGroupMapping", f"/{name}-{self.tag}/mappings/{idp_id}")

    async def mapped(self, name: str) -> list[dict[str, Any]]:
        listed = await self.on("ListGroupMappings", f"/{name}-{self.tag}/mappings")
        return list(listed.body.get("result", []))

    async def tables(self, idp_id: str) -> dict[str, Any]:
        (row,) = await self.managed.users.rows("idps", _id=idp_id)
        return dict(row["tables"])


@pytest.fixture
async def mapping(managed: Any) -> Mapping:
    found = Mapping(managed)
    await found.set_up()
    for name in ("staff", "guests"):
        await found.group(name)
    return found


async def test_mappings_are_set_listed_and_removed(mapping: Mapping) -> None:
    """Each group has its own lines of a provider, whose claim stays as long as there are any."""
    idp_id = await mapping.provider("corp")
    set_ = [
        await mapping.map("staff", idp_id, "old", claim="other"),
        await mapping.map("staff", idp_id, "employees", "chiefs", claim="realm.groups"),
        await mapping.map("guests", idp_id, "visitors"),
    ]
    listed = [await mapping.mapped(name) for name in ("staff", "guests")]
    version = set_[-1].body["details"]["sequence"]
    assert [one.pop("details")["sequence"] for (one,) in listed] == [version] * 2
    removed = await mapping.unmap("staff", idp_id)
    left = await mapping.tables(idp_id)
    again = await mapping.unmap("staff", idp_id)
    await mapping.unmap("guests", idp_id)

    place = {"idpId": idp_id, "idpName": f"corp-{mapping.tag}", "claim": "realm.groups"}
    assert [answer.code for answer in (*set_, removed)] == [0] * 4
    assert listed == [
        [{**place, "providerGroups": ["employees", "chiefs"]}],
        [{**place, "providerGroups": ["visitors"]}],
    ]
    assert left == {
        "groupsClaim": "realm.groups",
        "memberships": [{"group": "visitors", "groupId": f"guests-{mapping.tag}"}],
    }
    assert (again.error_code, await mapping.tables(idp_id)) == ("USER-113", {})


async def test_mapping_is_changed_in_the_version_that_was_read(mapping: Mapping) -> None:
    """A mapping that another administrator changed meanwhile is not replaced (decision 0053)."""
    idp_id = await mapping.provider("corp")
    await mapping.map("staff", idp_id, "employees", claim="groups")
    [read] = await mapping.mapped("staff")
    await mapping.map("staff", idp_id, "chiefs")
    path, body = f"/staff-{mapping.tag}/mappings/{idp_id}", {"providerGroups": ["interns"]}

    late = await mapping.on("SetGroupMapping", path, body, headers={"If-Match": f'"{read["details"]["sequence"]}"'})

    assert late.error_code == "USER-728"
    assert [one["providerGroups"] for one in await mapping.mapped("staff")] == [["chiefs"]]


async def test_deleted_group_is_not_mapped(mapping: Mapping) -> None:
    """Its lines leave the provider in the same transaction, and the claim with the last one."""
    idp_id = await mapping.provider("corp")
    for name in ("staff", "guests"):
        await mapping.map(name, idp_id, "employees", claim="groups")
    left = []
    for name in ("staff", "guests"):
        assert (await mapping.on("RemoveGroup", f"/{name}-{mapping.tag}")).code == 0
        left.append(await mapping.tables(idp_id))

    lines = [{"group": "employees", "groupId": f"guests-{mapping.tag}"}]
    assert left == [{"groupsClaim": "groups", "memberships": lines}, {}]


async def test_claim_in_use_is_kept(mapping: Mapping) -> None:
    """One group's mapping does not change what fills another one."""
    idp_id = await mapping.provider("corp")
    await mapping.map("staff", idp_id, "employees", claim="groups")
    refused = await mapping.map("guests", idp_id, "visitors", claim="roles")

    assert (refused.error_code, refused.fields) == ("USER-112", ["claim"])
    assert await mapping.mapped("guests") == []


async def test_invalid_mappings_are_refused(mapping: Mapping) -> None:
    """A first mapping needs a claim, names are listed once, and providers of others are not mapped."""
    own, of_instance = await mapping.provider("corp"), await mapping.provider("all", by="iam")
    foreign = await mapping.provider("their", by="foreign")
    answers = [
        await mapping.map("staff", own, "employees"),
        await mapping.map("staff", own, "employees", claim="a..b"),
        await mapping.map("staff", own, "employees", "employees", claim="groups"),
        await mapping.map("staff", of_instance, "employees", claim="groups"),
        await mapping.map("staff", foreign, "employees", claim="groups"),
    ]

    assert [(answer.error_code, answer.fields) for answer in answers] == [
        ("USER-628", ["claim"]),
        ("USER-628", ["claim"]),
        ("USER-628", ["providerGroups"]),
        ("USER-629", ["idpId"]),
        ("USER-318", ["idpId"]),
    ]


async def test_if_match_names_the_version_of_what_changes(mapping: Mapping) -> None:
    """If-Match names the version of the user, the inner group or the provider, whose details are returned; the group's
    own is refused.
    """
    tag, idp_id = mapping.tag, await mapping.provider("corp")
    database = mapping.managed.users.parts.mongo.database
    await database["groups"].update_one({"_id": f"staff-{tag}"}, {"$set": {"sequence": 90}})
    user, inner, provider = ("users", f"self-{tag}"), ("groups", f"guests-{tag}"), ("idps", idp_id)
    for method, path, body, (collection, id) in (
        ("AddGroupMember", "/members", {"userId": user[1]}, user),
        ("RemoveGroupMember", f"/members/{user[1]}", {}, user),
        ("AddGroupToGroup", "/groups", {"memberGroupId": inner[1]}, inner),
        ("RemoveGroupFromGroup", f"/groups/{inner[1]}", {}, inner),
        ("SetGroupMapping", f"/mappings/{idp_id}", {"providerGroups": ["admins"], "claim": "groups"}, provider),
        ("RemoveGroupMapping", f"/mappings/{idp_id}", {}, provider),
    ):
        [row] = await mapping.managed.users.rows(collection, _id=id)
        answers = [
            await mapping.on(method, f"/staff-{tag}{path}", body, headers={"If-Match": f'"{sequence}"'})
            for sequence in (90, row["sequence"])
        ]

        assert (method, [one.error_code for one in answers]) == (method, ["USER-728", ""])
        assert answers[1].body["details"]["sequence"] == str(row["sequence"] + 1)
