"""One bad grant, whichever door it comes through: user grants and project grants, added, updated and applied."""

from __future__ import annotations

from typing import Any

import pytest
from portico_oauth.errors import ServiceError

from .granting import Granting

pytestmark = pytest.mark.servers

BAD_ROLE_KEYS: list[tuple[list[str], int]] = [
    (["buyer"], 0),
    (["Reader"], 0),
    (["READER"], 0),
    (["reader "], 0),
    ([" reader"], 0),
    (["reader\t"], 0),
    (["reade"], 0),
    (["readers"], 0),
    (["reader,writer"], 0),
    (["reader writer"], 0),
    (["*"], 0),
    (["."], 0),
    (["reäder"], 0),
    (["rеader"], 0),
    (["ORG_OWNER"], 0),
    (["PROJECT_OWNER"], 0),
    (["reader", "buyer"], 1),
    (["reader", "writer", "buyer"], 2),
    (["reader", "reader", "Reader"], 2),
    (["buyer", "seller"], 0),
]
"""Roles that the project does not have, and the number of the first of them; it has admin, reader and writer."""


@pytest.fixture
async def granting(managed: Any) -> Granting:
    """The project of the owner, granted to the other organization with the roles reader and writer."""
    made = Granting(managed)
    await made.set_up()
    return made


async def _by_api(granting: Granting, method: str, body: Any, path: str, by: str = "owner") -> tuple[str, list[str]]:
    response = await granting.call(f"UserGrantService.{method}", body, path, by=by)
    return response.error_code, response.fields


async def _by_apply(granting: Granting, path: str, *organizations: dict[str, Any]) -> tuple[str, list[str]]:
    """Error id and place below a path of the document."""
    with pytest.raises(ServiceError) as refused:
        await granting.managed.users.apply(*organizations)
    return refused.value.id, [refused.value.text.partition(": ")[0].removeprefix(path)]


def _org(granting: Granting, id: str, **members: Any) -> dict[str, Any]:
    return {"id": id, "name": id, "primaryDomain": granting.managed.domain(id), **members}


def _robot(id: str, grant: Any) -> dict[str, Any]:
    return {"id": id, "username": id, "name": id, "grants": [grant]}


def _project(granting: Granting, *grants: Any) -> dict[str, Any]:
    return {"id": granting.project_id, "name": f"Shop {granting.tag}", "grants": list(grants)}


@pytest.mark.parametrize(("role_keys", "number"), BAD_ROLE_KEYS)
async def test_a_role_the_project_does_not_have_gets_the_same_error_at_every_door(
    granting: Granting, role_keys: list[str], number: int
) -> None:
    """A user grant or a project grant, added, updated or applied, is refused with USER-042 at the key."""
    managed, place = granting.managed, [f"roleKeys[{number}]"]
    home, robot = managed.org_id, f"robot-{granting.tag}"
    body = {"projectId": granting.project_id, "roleKeys": role_keys}
    known = await granting.call(
        "UserGrantService.AddUserGrant", body | {"roleKeys": ["admin"]}, f"/users/self-{granting.tag}/grants"
    )
    update = f"/users/self-{granting.tag}/grants/{known.body['userGrantId']}"
    added = await granting.make(*role_keys)
    updated = await granting.change(await granting.made("reader"), *role_keys)
    of_robot = {"project": granting.project_id, "roleKeys": role_keys}
    of_project = {"organization": managed.peer_org_id, "roleKeys": role_keys}
    got = [
        (added.error_code, added.fields),
        (updated.error_code, updated.fields),
        await _by_api(granting, "AddUserGrant", body, f"/users/{robot}/grants"),
        await _by_api(granting, "UpdateUserGrant", {"roleKeys": role_keys}, update),
        await _by_apply(
            granting,
            "organizations[0].serviceUsers[0].grants[0].",
            _org(granting, home, serviceUsers=[_robot(robot, of_robot)]),
        ),
        await _by_apply(
            granting,
            "organizations[0].projects[0].grants[0].",
            _org(granting, home, projects=[_project(granting, of_project)]),
        ),
    ]

    assert got == [("USER-042", place)] * 6


@pytest.mark.parametrize(("role_keys", "number"), [*BAD_ROLE_KEYS, (["admin"], 0), (["reader", "admin"], 1)])
async def test_a_role_that_was_not_granted_gets_the_same_error_at_every_door(
    granting: Granting, role_keys: list[str], number: int
) -> None:
    """By a project grant it is USER-873, also where the project does not have the role: the update answered USER-042."""
    grant_id, clerk = await granting.made("reader", "writer"), f"clerk-{granting.tag}"
    known = await granting.give(grant_id, "reader", to="helper")
    update = f"/users/helper-{granting.tag}/grants/{known.body['userGrantId']}"
    added = await granting.give(grant_id, *role_keys)
    wanted = {"project": granting.project_id, "projectGrant": grant_id, "roleKeys": role_keys}
    other = granting.managed.other_org_id
    got = [
        (added.error_code, added.fields),
        await _by_api(granting, "UpdateUserGrant", {"roleKeys": role_keys}, update, by="foreign"),
        await _by_apply(
            granting,
            "organizations[0].serviceUsers[0].grants[0].",
            _org(granting, other, serviceUsers=[_robot(clerk, wanted)]),
        ),
    ]

    assert got == [("USER-873", [f"roleKeys[{number}]"])] * 3


async def test_a_grant_to_the_own_organization_gets_the_same_error_at_every_door(granting: Granting) -> None:
    """The project belongs to it already: USER-872 at the organization."""
    home = granting.managed.org_id
    response = await granting.make("reader", to=home)
    wanted = {"organization": home, "roleKeys": ["reader"]}
    document = _org(granting, home, projects=[_project(granting, wanted)])
    applied = await _by_apply(granting, "organizations[0].projects[0].grants[0].", document)

    assert [(response.error_code, response.fields), applied] == [("USER-872", ["grantedOrgId"])] * 2
