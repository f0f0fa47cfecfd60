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
"""Role lists, and the index of the first unknown role; the project has admin, reader and writer."""


@pytest.fixture
async def granting(managed: Any) -> Granting:
    made = Granting(managed)
    await made.set_up()
    return made


async def _by_api(granting: Granting, method: str, body: Any, path: str, by: str = "owner") -> tuple[str, list[str]]:
    response = await granting.call(f"UserGrantService.{method}", body, path, by=by)
    return response.error_code, response.fields


async def _by_apply(granting: Granting, path: str, *organizations: dict[str, Any]) -> tuple[str, list[str]]:
    with pytest.raises(ServiceError) as refused:
        await granting.managed.users.apply(*organizations)
    return refused.value.id, [refused.value.text.partition(": ")[0].removeprefix(path)]


def _org(granting: Granting, id: str, **members: Any) -> dict[str, Any]:
    return {"id": id, "name": id, "primaryDomain": granting.managed.domain(id), **members}


def _robot(id: str, grant: Any) -> dict[str, Any]:
    return {"id": id, "username": id, "name": id, "grants": [grant]}


def _project(granting: Granting, *grants: Any) -> dict[str, Any]:
    return {"id": granting.project_id, "name": f"Shop {granting.tag}", "grants": list(grants)}


async def test_unknown_role_gets_equal_errors_everywhere(granting: Granting) -> None:
    """An unknown role in a user grant or project grant, added, updated or applied, gives USER-042 with the key's
    path.
    """
    body = {"projectId": granting.project_id, "roleKeys": ["admin"]}
    known = await granting.call("UserGrantService.AddUserGrant", body, f"/users/self-{granting.tag}/grants")
    user_grant = f"/users/self-{granting.tag}/grants/{known.body['userGrantId']}"
    grant_id, wrong = await granting.made("reader"), []
    for role_keys, number in BAD_ROLE_KEYS:
        got = await _errors_of_unknown_role(granting, user_grant, grant_id, role_keys)
        if got != [("USER-042", [f"roleKeys[{number}]"])] * 6:
            wrong.append((role_keys, got))

    assert wrong == []


async def _errors_of_unknown_role(
    granting: Granting, user_grant: str, grant_id: str, role_keys: list[str]
) -> list[tuple[str, list[str]]]:
    managed = granting.managed
    home, robot = managed.org_id, f"robot-{granting.tag}"
    body = {"projectId": granting.project_id, "roleKeys": role_keys}
    added = await granting.make(*role_keys, to=managed.peer_org_id)
    updated = await granting.change(grant_id, *role_keys)
    of_robot = {"project": granting.project_id, "roleKeys": role_keys}
    of_project = {"organization": managed.peer_org_id, "roleKeys": role_keys}
    return [
        (added.error_code, added.fields),
        (updated.error_code, updated.fields),
        await _by_api(granting, "AddUserGrant", body, f"/users/{robot}/grants"),
        await _by_api(granting, "UpdateUserGrant", {"roleKeys": role_keys}, user_grant),
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


async def test_ungranted_role_gets_equal_errors_everywhere(granting: Granting) -> None:
    """A role outside the project grant gives USER-873 everywhere, never USER-042, even if the project lacks the
    role.
    """
    grant_id = await granting.made("reader", "writer")
    known = await granting.give(grant_id, "reader", to="helper")
    user_grant, wrong = f"/users/helper-{granting.tag}/grants/{known.body['userGrantId']}", []
    for role_keys, number in [*BAD_ROLE_KEYS, (["admin"], 0), (["reader", "admin"], 1)]:
        got = await _errors_of_ungranted_role(granting, user_grant, grant_id, role_keys)
        if got != [("USER-873", [f"roleKeys[{number}]"])] * 3:
            wrong.append((role_keys, got))

    assert wrong == []


async def _errors_of_ungranted_role(
    granting: Granting, user_grant: str, grant_id: str, role_keys: list[str]
) -> list[tuple[str, list[str]]]:
    clerk = f"clerk-{granting.tag}"
    added = await granting.give(grant_id, *role_keys)
    wanted = {"project": granting.project_id, "projectGrant": grant_id, "roleKeys": role_keys}
    other = granting.managed.other_org_id
    return [
        (added.error_code, added.fields),
        await _by_api(granting, "UpdateUserGrant", {"roleKeys": role_keys}, user_grant, by="foreign"),
        await _by_apply(
            granting,
            "organizations[0].serviceUsers[0].grants[0].",
            _org(granting, other, serviceUsers=[_robot(clerk, wanted)]),
        ),
    ]


async def test_grant_to_owner_gets_equal_errors_everywhere(granting: Granting) -> None:
    """Granting a project to its own organization gives USER-872 with the organization's path."""
    home = granting.managed.org_id
    response = await granting.make("reader", to=home)
    wanted = {"organization": home, "roleKeys": ["reader"]}
    document = _org(granting, home, projects=[_project(granting, wanted)])
    applied = await _by_apply(granting, "organizations[0].projects[0].grants[0].", document)

    assert [(response.error_code, response.fields), applied] == [("USER-872", ["grantedOrgId"])] * 2
