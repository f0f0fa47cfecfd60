"""Applying project grants, roles given by them, and taking both away again."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import GET_ROLES, GetRoles
from portico_fakes.management_api import ManagementApi
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers


class Declared:
    """A document of two organizations: one has a project, the other one is granted it and gives a person roles."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.tag = world.tag
        self.clerk = f"clerk-{world.tag}"

    def document(
        self, *grants: dict[str, Any], given: Any = None, roles: tuple[str, ...] = ("reader", "writer"), **members: Any
    ) -> dict[str, Any]:
        """The document.

        Args:
            grants: of the project.
            given: the grants of the person; None leaves them out.
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
        """A grant to the other organization."""
        return {"organization": f"guest-{self.tag}", "id": f"grant-{self.tag}", "roleKeys": list(roles), **members}

    def given(self, *roles: str, by: str = "grant-{tag}", project: str = "Shop") -> list[dict[str, Any]]:
        """What the person is given."""
        return [{"project": project, "projectGrant": by.format(tag=self.tag), "roleKeys": list(roles)}]

    async def apply(self, document: dict[str, Any], **how: Any) -> list[tuple[str, str]]:
        """What was done to which kind, but for what is unchanged."""
        applied = await self.world.apply_document(document, **how)
        return [(change.kind, change.action) for change in applied.changes if change.action != "unchanged"]

    async def roles(self) -> set[str]:
        """The roles that tokens have."""
        ask = GetRoles(user_id=self.clerk, project_ids=(f"shop-{self.tag}",))
        return set((await self.world.call(GET_ROLES, ask)).roles.get(f"shop-{self.tag}", {}))


@pytest.fixture
def declared(users_world: Any) -> Declared:
    """The document, not applied yet."""
    return Declared(users_world)


@pytest.mark.parametrize("by", ["grant-{tag}", "owner-{tag}", "Owner {tag}"], ids=["grant", "owner", "name"])
@pytest.mark.parametrize("project", ["shop-{tag}", "SHOP"], ids=["id", "name"])
async def test_project_and_user_grants_are_declared_in_one_document(declared: Declared, by: str, project: str) -> None:
    """Granted and given at once, the grant named by its id or by whose project it is; a second run changes nothing."""
    given = declared.given("reader", by=by, project=project.format(tag=declared.tag))
    wanted = declared.document(declared.grant("reader"), given=given)

    assert ("project_grant", "created") in await declared.apply(wanted)
    assert await declared.roles() == {"reader"}
    assert await declared.apply(wanted) == []
    assert await declared.apply(wanted, prune=True) == []


async def test_roles_are_exchanged_in_one_run(declared: Declared) -> None:
    """New roles exist before they are granted, and are removed after they are revoked: no step meets a changed user."""
    await declared.apply(declared.document(declared.grant("reader"), given=declared.given("reader")))
    changed = await declared.apply(declared.document(declared.grant("writer"), given=declared.given("writer")))

    assert changed == [("project_grant", "updated"), ("service_user", "updated"), ("project_grant", "updated")]
    assert await declared.roles() == {"writer"}


async def test_deleted_roles_are_revoked_from_every_user(declared: Declared) -> None:
    """They are revoked also from users the document does not name."""
    await declared.apply(declared.document(declared.grant("reader", "writer"), given=declared.given("reader")))
    assert await declared.apply(declared.document(declared.grant("writer"))) == [("project_grant", "updated")]
    (row,) = await declared.world.rows("users", _id=declared.clerk)

    assert row["grants"] == []


async def test_pruned_roles_of_a_project_go_from_its_grants(declared: Declared) -> None:
    """With the grants that are named, and those the document does not name."""
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


async def test_grants_that_are_left_out_go_with_prune_only(declared: Declared) -> None:
    """With what was given by them, and their members."""
    members = [{"user": declared.clerk, "roles": ["PROJECT_GRANT_OWNER"]}]
    await declared.apply(declared.document(declared.grant("reader", members=members), given=declared.given("reader")))
    assert await declared.apply(declared.document()) == []

    assert await declared.apply(declared.document(), prune=True) == [("project_grant", "removed")]
    (row,) = await declared.world.rows("users", _id=declared.clerk)
    (member,) = await declared.world.rows("members", userId=declared.clerk)
    assert (row["grants"], member["roles"]) == ([], [])


async def test_a_person_goes_while_their_role_goes(declared: Declared) -> None:
    """One run deletes a user and revokes the role that the user was granted."""
    ManagementApi(declared.world.service, declared.world.bus)  # answers the request that deleting a user makes
    await declared.apply(declared.document(declared.grant("reader", "writer"), given=declared.given("writer")))
    left = declared.document(declared.grant("reader"))
    left["organizations"][1]["serviceUsers"] = []

    assert await declared.apply(left, prune=True) == [("service_user", "removed"), ("project_grant", "updated")]


async def test_a_grant_is_switched_off_and_has_members(declared: Declared) -> None:
    """As projects are; members go from a list that is all there is."""
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
async def test_what_may_not_be_is_refused_with_its_place(
    declared: Declared, grants: list[dict[str, Any]], given: list[dict[str, Any]], error_code: str, place: str
) -> None:
    """By the plan: nothing is written."""

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
