from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import GET_ROLES, GetRoles
from portico_fakes.management_api import ManagementApi
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers


class Declared:
    def __init__(self, world: Any) -> None:
        self.world = world
        self.tag = world.tag
        self.clerk = f"clerk-{world.tag}"

    def document(
        self, *grants: dict[str, Any], given: Any = None, roles: tuple[str, ...] = ("reader", "writer"), **members: Any
    ) -> dict[str, Any]:
        """Builds the document.

        Args:
            grants: of the project.
            given: the user's grants; None omits them.
            members: of the project.
        """
        named = [{"roleKey": key} for key in roles]
        project = {"id": f"shop-{self.tag}", "name": "Shop", "roles": named, "grants": list(grants), **members}
        person: dict[str, Any] = {"id": self.clerk, "username": self.clerk, "name": "Clerk"}
        if given is not None:
            person["grants"] = given
        return {
            "organizations": [
                {"id": f"owner-{self.tag}", "name": f"Owner {self.tag}", "projects": [project]},
                {"id": f"guest-{self.tag}", "name": f"Guest {self.tag}", "serviceUsers": [person]},
                {"id": f"third-{self.tag}", "name": f"Third {self.tag}"},
            ]
        }

    def grant(self, *roles: str, **members: Any) -> dict[str, Any]:
        return {"organization": f"guest-{self.tag}", "id": f"grant-{self.tag}", "roleKeys": list(roles), **members}

    def given(self, *roles: str, by: str = "grant-{tag}", project: str = "Shop") -> list[dict[str, Any]]:
        return [{"project": project, "projectGrant": by.format(tag=self.tag), "roleKeys": list(roles)}]

    async def apply(self, document: dict[str, Any], **how: Any) -> list[tuple[str, str]]:
        applied = await self.world.apply_document(document, **how)
        return [(change.kind, change.action) for change in applied.changes if change.action != "unchanged"]

    async def roles(self) -> set[str]:
        ask = GetRoles(user_id=self.clerk, project_ids=(f"shop-{self.tag}",))
        return set((await self.world.call(GET_ROLES, ask)).roles.get(f"shop-{self.tag}", {}))


@pytest.fixture
def declared(users_world: Any) -> Declared:
    return Declared(users_world)


@pytest.mark.parametrize("by", ["grant-{tag}", "owner-{tag}", "Owner {tag}"], ids=["grant", "owner", "name"])
@pytest.mark.parametrize("project", ["shop-{tag}", "SHOP"], ids=["id", "name"])
async def test_project_and_user_grants_are_declared_in_one_document(declared: Declared, by: str, project: str) -> None:
    """The project grant is identified by its id or by the project's owner; a second run changes nothing."""
    given = declared.given("reader", by=by, project=project.format(tag=declared.tag))
    wanted = declared.document(declared.grant("reader"), given=given)

    assert ("project_grant", "created") in await declared.apply(wanted)
    assert await declared.roles() == {"reader"}
    assert await declared.apply(wanted) == []
    assert await declared.apply(wanted, prune=True) == []


async def test_roles_are_exchanged_in_one_run(declared: Declared) -> None:
    """New roles exist before they are granted, and old ones are removed after they are revoked, without conflicts."""
    await declared.apply(declared.document(declared.grant("reader"), given=declared.given("reader")))
    changed = await declared.apply(declared.document(declared.grant("writer"), given=declared.given("writer")))

    assert changed == [("project_grant", "updated"), ("service_user", "updated"), ("project_grant", "updated")]
    assert await declared.roles() == {"writer"}


async def test_deleted_roles_are_revoked_from_every_user(declared: Declared) -> None:
    """Users outside the document lose the roles too."""
    await declared.apply(declared.document(declared.grant("reader", "writer"), given=declared.given("reader")))
    assert await declared.apply(declared.document(declared.grant("writer"))) == [("project_grant", "updated")]
    (row,) = await declared.world.rows("users", _id=declared.clerk)

    assert row["grants"] == []


async def test_pruned_roles_are_removed_from_project_grants(declared: Declared) -> None:
    """Grants outside the document lose the roles too."""
    both = declared.grant("reader", "writer")
    await declared.apply(declared.document(both, given=declared.given("reader", "writer")))
    left = declared.document(declared.grant("reader"), given=declared.given("reader"), roles=("reader",))
    changed = await declared.apply(left, prune=True)
    assert changed == [("service_user", "updated"), ("project_grant", "updated"), ("project", "updated")]
    assert await declared.roles() == {"reader"}

    without_grants = declared.document(roles=("writer",))
    del without_grants["organizations"][0]["projects"][0]["grants"]
    assert await declared.apply(without_grants, prune=True) == [("project", "updated"), ("project", "updated")]
    (grant,) = await declared.world.rows("projectGrants", _id=f"grant-{declared.tag}")
    assert grant["roleKeys"] == []
    assert await declared.roles() == set()


async def test_absent_grants_are_removed_only_with_prune(declared: Declared) -> None:
    """Roles granted through them and their members are removed as well."""
    members = [{"user": declared.clerk, "roles": ["PROJECT_GRANT_OWNER"]}]
    await declared.apply(declared.document(declared.grant("reader", members=members), given=declared.given("reader")))
    assert await declared.apply(declared.document()) == []

    assert await declared.apply(declared.document(), prune=True) == [("project_grant", "removed")]
    (row,) = await declared.world.rows("users", _id=declared.clerk)
    (member,) = await declared.world.rows("members", userId=declared.clerk)
    assert (row["grants"], member["roles"]) == ([], [])


async def test_user_and_role_are_removed_in_one_run(declared: Declared) -> None:
    """One run deletes a user and revokes the role that the user was granted."""
    ManagementApi(declared.world.service, declared.world.bus)  # answers the request that deleting a user makes
    await declared.apply(declared.document(declared.grant("reader", "writer"), given=declared.given("writer")))
    left = declared.document(declared.grant("reader"))
    left["organizations"][1]["serviceUsers"] = []

    assert await declared.apply(left, prune=True) == [("service_user", "removed"), ("project_grant", "updated")]


async def test_grant_state_and_members(declared: Declared) -> None:
    """A grant can be deactivated like a project; prune removes absent members."""
    members = [{"user": declared.clerk, "roles": ["PROJECT_GRANT_OWNER"]}]
    off = declared.grant("reader", state="inactive", members=members)
    changed = await declared.apply(declared.document(off, given=declared.given("reader")))
    assert changed[-1] == ("member", "created")
    assert await declared.roles() == set()

    on = declared.grant("reader", state="active", members=[])
    changed = await declared.apply(declared.document(on), prune=True)
    assert changed == [("project_grant", "updated"), ("member", "removed")]
    assert await declared.roles() == {"reader"}


@pytest.mark.parametrize(
    ("grants", "given", "error_code", "place"),
    [
        ([{"organization": "nobody"}], [], "USER-875", "projects[0].grants[0].organization"),
        ([{"organization": "owner-{tag}"}], [], "USER-872", "projects[0].grants[0].grantedOrgId"),
        ([{"organization": "guest-{tag}"}, {"organization": "guest-{tag}"}], [], "USER-011", "grants[1].organization"),
        ([{"organization": "guest-{tag}", "roleKeys": ["owner"]}], [], "USER-042", "grants[0].roleKeys[0]"),
        (
            [{"organization": "guest-{tag}", "roleKeys": ["reader"]}],
            [{"project": "Shop", "projectGrant": "owner-{tag}", "roleKeys": ["writer"]}],
            "USER-873",
            "serviceUsers[0].grants[0].roleKeys[0]",
        ),
        (
            [{"organization": "guest-{tag}", "roleKeys": ["reader"]}],
            [{"project": "Bank", "projectGrant": "owner-{tag}", "roleKeys": ["reader"]}],
            "USER-870",
            "serviceUsers[0].grants[0].projectGrant",
        ),
        (
            [{"organization": "guest-{tag}", "id": "grant-{tag}", "roleKeys": ["reader"]}],
            [{"project": "Bank", "projectGrant": "grant-{tag}", "roleKeys": ["reader"]}],
            "USER-870",
            "serviceUsers[0].grants[0].projectGrant",
        ),
        (
            [{"organization": "third-{tag}", "id": "grant-{tag}", "roleKeys": ["reader"]}],
            [{"project": "Shop", "projectGrant": "grant-{tag}", "roleKeys": ["reader"]}],
            "USER-870",
            "serviceUsers[0].grants[0].projectGrant",
        ),
        (
            [],
            [{"project": "Shop", "projectGrant": "owner-{tag}", "roleKeys": ["reader"]}],
            "USER-870",
            "serviceUsers[0].grants[0].projectGrant",
        ),
        (
            [{"organization": "guest-{tag}", "roleKeys": ["reader"]}],
            [
                {
                    "project": "Shop",
                    "projectGrant": "owner-{tag}",
                    "organization": "owner-{tag}",
                    "roleKeys": ["reader"],
                }
            ],
            "USER-874",
            "serviceUsers[0].grants[0].organization",
        ),
    ],
)
async def test_invalid_grants_are_refused_with_their_path(
    declared: Declared, grants: list[dict[str, Any]], given: list[dict[str, Any]], error_code: str, place: str
) -> None:
    """Planning fails and nothing is written."""

    def filled(part: dict[str, Any]) -> dict[str, Any]:
        return {
            name: value.format(tag=declared.tag) if isinstance(value, str) else value for name, value in part.items()
        }

    wanted = declared.document(*(filled(grant) for grant in grants), given=[filled(one) for one in given])
    with pytest.raises(ServiceError) as refused:
        await declared.apply(wanted)

    assert refused.value.id == error_code
    assert place in refused.value.text
    assert await declared.world.rows("orgs", _id=f"owner-{declared.tag}") == []
