"""An export with references to other objects is accepted again and changes nothing, here and elsewhere."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.apply import Document
from portico_contracts.users import APPLY, Applied, Apply
from portico_users.projects.commands import RemoveProject, RemoveProjectRole
from portico_users.projects.store import MongoProjects

from .exported import export_org, jwt_idp

pytestmark = pytest.mark.servers


def org(world: Any, name: str, **members: Any) -> dict[str, Any]:
    return {"id": f"{name}-{world.tag}", "name": f"{name} {world.tag}", **members}


def project(world: Any, **members: Any) -> dict[str, Any]:
    return {"id": f"shop-{world.tag}", "name": "shop", "roles": [{"roleKey": "r1"}, {"roleKey": "r2"}], **members}


async def apply_export(world: Any, *names: str, prune: bool = False) -> Applied:
    orgs = [(await export_org(world, f"{name}-{world.tag}"))[0] for name in names]
    applied: Applied = await world.call(APPLY, Apply(document=Document(organizations=tuple(orgs)), prune=prune))
    assert applied.failure is None
    return applied


@pytest.mark.parametrize("prune", [False, True])
async def test_roles_of_one_project_by_two_organizations(users_world: Any, *, prune: bool) -> None:
    """A user may have roles by the owner of a project and by a project grant of the own organization."""
    tag = users_world.tag
    first = org(
        users_world,
        "first",
        projects=[
            project(users_world, grants=[{"id": f"g-{tag}", "organization": f"second-{tag}", "roleKeys": ["r1", "r2"]}])
        ],
    )
    grants = [
        {"project": "shop", "organization": f"first-{tag}", "roleKeys": ["r1"]},
        {"project": "shop", "projectGrant": f"g-{tag}", "roleKeys": ["r2"]},
    ]
    await users_world.apply(first, org(users_world, "second", humans=[users_world.human(grants=grants)]))
    again = await apply_export(users_world, "first", "second", prune=prune)
    [row] = await users_world.rows("users", userName=users_world.user_name)

    assert {(one["orgId"], *one["roleKeys"]) for one in row["grants"]} == {
        (f"first-{tag}", "r1"),
        (f"second-{tag}", "r2"),
    }
    assert {change.action for change in again.changes} == {"unchanged"}


@pytest.mark.parametrize("also", [False, True], ids=["only this mapping", "with another one"])
@pytest.mark.parametrize("gone", ["role", "project"])
async def test_mapping_to_a_removed_role_is_omitted(users_world: Any, gone: str, *, also: bool) -> None:
    """A provider keeps the mapping, as no document can name it, until a pruned list omits it."""
    tag = users_world.tag
    mapped = [{"group": "staff", "project": "shop", "roleKeys": ["r1"]}]
    if also:
        mapped += [{"group": "staff", "project": "kept", "roleKeys": ["r1"]}]
    kept = {"name": "kept", "roles": [{"roleKey": "r1"}]}
    own = jwt_idp(f"own-{tag}", groups={"claim": "groups", "grants": mapped})
    await users_world.apply(org(users_world, "first", projects=[project(users_world), kept], jwtIdps=[own]))
    found = await MongoProjects(users_world.parts.mongo.database).find(f"shop-{tag}")
    remove = (RemoveProjectRole, ("r1",)) if gone == "role" else (RemoveProject, ())
    await users_world.service.find(remove[0])(found, *remove[1], actor="a")
    again = await apply_export(users_world, "first")
    [left] = await users_world.rows("idps", _id=f"own-{tag}")
    await apply_export(users_world, "first", prune=True)
    [pruned] = await users_world.rows("idps", _id=f"own-{tag}")

    assert {change.action for change in again.changes} == {"unchanged"}
    assert len(left["tables"]["groups"]) == len(mapped)
    # Without another mapping the export has no list of mappings, which could be pruned.
    assert len(pruned["tables"]["groups"]) == 1
