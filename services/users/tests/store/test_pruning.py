from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.apply import Document, Organization
from portico_contracts.users import APPLY, Apply
from portico_fakes.management_api import ManagementApi
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers


class Furnished:
    def __init__(self, world: Any, api: ManagementApi) -> None:
        self.world = world
        self.api = api
        self.tag = world.tag

    def human(self, name: str, **members: Any) -> dict[str, Any]:
        id = f"{name}-{self.tag}"
        human: dict[str, Any] = self.world.human(id=id, username=id, email={"email": self.world.mail(name)})
        return human | members

    def project(self, name: str, *, apps: Any = ("a", "b"), **members: Any) -> dict[str, Any]:
        id = f"p{name}-{self.tag}"
        return {
            "id": id,
            "name": name,
            "roles": [{"roleKey": "r1"}, {"roleKey": "r2"}],
            "oidcApps": [self.world.app(name=app, clientId=f"{app}-{id}") for app in apps],
            "apiApps": [self.world.api_app(name=f"api{app}", clientId=f"api{app}-{id}") for app in apps],
            **members,
        }

    def idp(self, name: str) -> dict[str, Any]:
        address = "https://idp.example"
        return {
            "id": f"i{name}-{self.tag}",
            "name": name,
            "jwtEndpoint": address,
            "issuer": address,
            "keysEndpoint": address,
        }

    def org(self, **members: Any) -> dict[str, Any]:
        return {"id": f"org-{self.tag}", "name": f"Acme {self.tag}", **members}

    def whole(self) -> dict[str, Any]:
        return self.org(
            projects=[self.project("a"), self.project("b")],
            jwtIdps=[self.idp("a"), self.idp("b")],
            humans=[self.human("a", roles=["ORG_OWNER"]), self.human("b", metadata={"x": "1", "y": "2"})],
            serviceUsers=[self.world.robot(keys=[self.world.key(id=f"k-{self.tag}")])],
            domains=[{"name": f"a-{self.tag}.example"}, {"name": f"b-{self.tag}.example"}],
        )

    async def set_up(self) -> None:
        other = {"id": f"other-{self.tag}", "name": f"Other {self.tag}", "humans": [self.human("foreign")]}
        await self.world.apply_document({"organizations": [self.whole(), other]})

    async def prune(self, **members: Any) -> list[tuple[str, str, str]]:
        applied = await self.world.apply_document({"organizations": [self.org(**members)]}, prune=True)
        return [(one.action, one.kind, one.name) for one in applied.changes if one.action != "unchanged"]

    async def there(self, collection: str) -> set[str]:
        rows = await self.world.rows(collection, state={"$ne": "deleted"})
        return {str(row["_id"]) for row in rows if self.tag in str(row["_id"])}


@pytest.fixture
async def furnished(users_world: Any, copy: Any) -> Furnished:
    made = Furnished(users_world, ManagementApi(users_world.service, users_world.bus))
    await copy("furnished", users_world.tag, made.set_up)
    return made


async def test_without_a_list_nothing_is_removed(furnished: Furnished) -> None:
    """An organization that is only named keeps all its objects."""
    before = [await furnished.there(name) for name in ("users", "projects", "apps", "idps")]

    assert await furnished.prune() == []
    assert [await furnished.there(name) for name in ("users", "projects", "apps", "idps")] == before


async def test_without_prune_nothing_is_removed(furnished: Furnished) -> None:
    """Without pruning, empty lists remove nothing."""
    wanted = furnished.org(projects=[], humans=[], serviceUsers=[], jwtIdps=[], domains=[], members=[])
    applied = await furnished.world.apply_document({"organizations": [wanted]})

    assert {change.action for change in applied.changes} == {"unchanged"}


async def test_omitted_users_are_deleted(furnished: Furnished) -> None:
    """Deletion is that of the management API: all of the user's data and grants are removed; other kinds and
    organizations are unchanged.
    """
    done = await furnished.prune(humans=[furnished.human("a")])
    tag = furnished.tag
    [row] = await furnished.world.rows("users", _id=f"b-{tag}")

    assert done == [("removed", "human", f"b-{tag}")]
    assert (row["state"], row["email"], row["metadata"]) == ("deleted", "", [])
    assert await furnished.world.rows("passwords", _id=f"b-{tag}") == []
    assert ("grants", f"b-{tag}") in furnished.api.ended
    assert {f"a-{tag}", f"robot-{tag}", f"foreign-{tag}"} <= await furnished.there("users")


async def test_empty_list_deletes_all_of_its_kind(furnished: Furnished) -> None:
    """An empty list of service users deletes all service users, but no end user."""
    done = await furnished.prune(serviceUsers=[])

    assert done == [("removed", "service_user", f"robot-{furnished.tag}")]


async def test_projects_apps_and_providers_are_pruned(furnished: Furnished) -> None:
    """Applications are deleted only in projects that list them, and only of the listed kind."""
    tag = furnished.tag
    project = furnished.project("a", apps=("a",))
    del project["apiApps"]
    done = await furnished.prune(projects=[project], jwtIdps=[furnished.idp("b")])

    assert sorted(done) == [
        ("removed", "app", "b"),
        ("removed", "identity_provider", "a"),
        ("removed", "project", "b"),
    ]
    assert await furnished.there("projects") == {f"pa-{tag}"}
    assert await furnished.there("idps") == {f"ib-{tag}"}


async def test_nested_lists_are_pruned(furnished: Furnished) -> None:
    """Project roles, metadata, keys, domains and membership roles are pruned by their lists."""
    done = await furnished.prune(
        projects=[furnished.project("a", roles=[{"roleKey": "r1"}]), furnished.project("b")],
        humans=[furnished.human("a", roles=[]), furnished.human("b", metadata={"x": "1"})],
        serviceUsers=[furnished.world.robot(keys=[])],
        domains=[{"name": f"b-{furnished.tag}.example"}],
    )
    [owner] = await furnished.world.rows("members", userId=f"a-{furnished.tag}")
    [org] = await furnished.world.rows("orgs", _id=f"org-{furnished.tag}")

    assert [(action, kind) for action, kind, _name in done] == [
        ("updated", "organization"),
        ("updated", "human"),
        ("updated", "human"),
        ("updated", "service_user"),
        ("updated", "project"),
    ]
    assert (owner["roles"], owner["state"]) == ([], "deleted")
    assert [domain["name"] for domain in org["domains"]] == [f"b-{furnished.tag}.example"]


async def test_foreign_members_are_pruned(furnished: Furnished) -> None:
    """Only members from other organizations are in the list; roles of the organization's own users are set on them."""
    tag = furnished.tag
    await furnished.prune(members=[{"user": f"foreign-{tag}", "roles": ["ORG_OWNER_VIEWER"]}])
    again = await furnished.prune(members=[{"user": f"foreign-{tag}", "roles": ["ORG_OWNER_VIEWER"]}])
    done = await furnished.prune(members=[])

    assert again == []
    assert done == [("removed", "member", f"foreign-{tag} in org-{tag}")]
    assert (await furnished.world.rows("members", userId=f"a-{tag}"))[0]["roles"] == ["ORG_OWNER"]


async def test_nothing_is_deleted_without_confirmation(furnished: Furnished) -> None:
    """Objects created between plan and run cause the whole run to be refused."""
    org = Organization(name=f"Acme {furnished.tag}", id=f"org-{furnished.tag}", humans=())
    asked = Apply(document=Document(organizations=(org,)), prune=True, may_remove=(f"a-{furnished.tag}",))
    with pytest.raises(ServiceError) as refused:
        await furnished.world.call(APPLY, asked)

    assert refused.value.id == "USER-837"
    assert refused.value.text.startswith("organizations[0].humans: ")
    assert {f"a-{furnished.tag}", f"b-{furnished.tag}"} <= await furnished.there("users")


async def test_last_instance_owner_is_retained(furnished: Furnished, users_world: Any) -> None:
    """The last owner is not deleted or deactivated, also with the organization, and keeps the role (USER-835)."""
    tag = furnished.tag
    others = await users_world.rows("members", scopeId="instance", roles="IAM_OWNER")
    owner = furnished.human("owner", roles=["IAM_OWNER"])
    foreign = [furnished.human("foreign", roles=["IAM_OWNER"])]
    other = {"id": f"other-{tag}", "name": f"Other {tag}", "state": "inactive", "humans": foreign}
    await users_world.apply_document({"organizations": [furnished.org(humans=[owner]), other]})
    heir = furnished.human("heir", roles=["IAM_OWNER"])
    # Other tests have owners in the same database.
    await users_world.parts.mongo.database["members"].update_many(
        {"_id": {"$in": [row["_id"] for row in others]}}, {"$set": {"roles": ["IAM_OWNER_VIEWER"]}}
    )
    wishes: list[tuple[dict[str, Any], bool]] = [
        ({"humans": []}, True),
        ({"humans": [furnished.human("owner", state="locked")]}, False),
        ({"humans": [furnished.human("owner", roles=["IAM_OWNER_VIEWER"])]}, False),
        ({"humans": [furnished.human("owner", roles=[])]}, True),
        ({"state": "inactive"}, False),
        ({"state": "inactive", "humans": [heir]}, False),
    ]
    for members, prune in wishes:
        with pytest.raises(ServiceError) as refused:
            await users_world.apply_document({"organizations": [furnished.org(**members)]}, prune=prune)

        assert refused.value.id == "USER-835"
        assert refused.value.text.startswith("organizations[0]" if "state" in members else "organizations[0].humans")
    applied = await users_world.apply_document({"organizations": [furnished.org(humans=[heir])]}, prune=True)

    assert ("removed", f"owner-{tag}") in {(one.action, one.name) for one in applied.changes}


async def test_deleted_user_named_as_member_is_refused(furnished: Furnished) -> None:
    """USER-833 also applies to roles that are set in two places."""
    tag = furnished.tag
    member = {"user": f"b-{tag}", "roles": ["ORG_OWNER"]}
    wishes: list[dict[str, Any]] = [
        {"humans": [], "members": [member]},
        {"humans": [furnished.human("b", roles=["ORG_OWNER"])], "members": [member]},
    ]
    for wanted in wishes:
        with pytest.raises(ServiceError) as refused:
            await furnished.prune(**wanted)

        assert refused.value.id == "USER-833"


@pytest.mark.parametrize("roles", [[], ["ORG_OWNER"]])
async def test_lost_role_of_the_instance_is_removed_once(furnished: Furnished, roles: list[str]) -> None:
    """The list of a user and that of the instance both omit the role; a member of both lists is refused (USER-833)."""
    tag = furnished.tag
    # Members that earlier tests left: thousands, each of whom is looked up three times.
    await furnished.world.parts.mongo.database["members"].delete_many({"scopeId": "instance"})
    watching = furnished.human("b", roles=["IAM_OWNER_VIEWER"])
    await furnished.world.apply_document({"organizations": [furnished.org(humans=[watching])]})
    wanted = {"organizations": [furnished.org(humans=[furnished.human("a"), furnished.human("b", roles=roles)])]}
    applied = await furnished.world.apply_document({**wanted, "members": []}, prune=True)
    again = await furnished.world.apply_document({**wanted, "members": []}, prune=True)
    [row] = await furnished.world.rows("members", userId=f"b-{tag}", scopeId="instance")
    both = [{"user": f"b-{tag}", "roles": ["IAM_OWNER_VIEWER"]}]
    with pytest.raises(ServiceError) as refused:
        await furnished.world.apply_document({**wanted, "members": both}, prune=True)

    assert [one.kind for one in applied.changes if one.action != "unchanged"] == ["human"]
    assert {one.action for one in again.changes} == {"unchanged"}
    assert row["roles"] == []
    assert (refused.value.id, refused.value.text.partition(": ")[0]) == ("USER-833", "members[0].user")
