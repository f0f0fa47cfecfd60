from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import Applied

pytestmark = pytest.mark.servers


def told(applied: Applied) -> dict[tuple[str, str], dict[str, tuple[int, tuple[str, ...]]]]:
    return {
        (one.action, one.name): {lost.kind: (lost.count, lost.names) for lost in one.along}
        for one in applied.changes
        if one.along or one.action == "removed"
    }


def organization(world: Any, **members: Any) -> dict[str, Any]:
    return {"id": f"org-{world.tag}", "name": f"Acme {world.tag}", **members}


async def set_up(world: Any) -> None:
    tag = world.tag
    partner = {"id": f"partner-{tag}", "name": f"Partner {tag}"}
    project = {
        "id": f"shop-{tag}", "name": "shop", "roles": [{"roleKey": "reader"}, {"roleKey": "writer"}],
        "oidcApps": [world.app(name="web", clientId=f"web-{tag}")],
        "apiApps": [world.api_app(name="api", clientId=f"api-{tag}")],
        "grants": [{"id": f"grant-{tag}", "organization": partner["id"], "roleKeys": ["reader"]}],
        "members": [{"user": f"bob-{tag}", "roles": ["PROJECT_OWNER"]}],
    }  # fmt: skip
    granted = [{"project": "shop", "roleKeys": ["reader", "writer"]}]
    people = [
        world.human(id=f"{name}-{tag}", username=f"{name}-{tag}", email={"email": world.mail(name)}, **members)
        for name, members in (("ada", {"roles": ["ORG_OWNER"]}), ("bob", {"grants": granted, "metadata": {"x": "1"}}))
    ]
    robot = world.robot(keys=[world.key(id=f"key-{tag}")])
    whole = organization(world, projects=[project], humans=people, serviceUsers=[robot])
    await world.apply_document({"organizations": [partner, whole]})


async def plan(world: Any, **members: Any) -> Applied:
    applied: Applied = await world.apply_document(
        {"organizations": [organization(world, **members)]}, check=True, prune=True
    )
    return applied


async def test_losses_of_a_project_are_listed(users_world: Any) -> None:
    """Applications, grants, members and users who lose a role are listed with number and names."""
    await set_up(users_world)
    tag = users_world.tag

    assert told(await plan(users_world, projects=[])) == {
        ("removed", "shop"): {
            "role": (2, ("reader", "writer")),
            "application": (2, ("web", "api")) if f"web-{tag}" < f"api-{tag}" else (2, ("api", "web")),
            "project grant": (1, (f"partner-{tag}",)),
            "member": (1, (f"bob-{tag}",)),
            "user with a role of the project": (1, (f"bob-{tag}",)),
        }
    }


async def test_losses_of_a_user_are_listed(users_world: Any) -> None:
    """Credentials, metadata, roles and memberships of an end user and keys of a service user are listed."""
    await set_up(users_world)
    tag = users_world.tag
    ada = users_world.human(id=f"ada-{tag}", username=f"ada-{tag}", email={"email": users_world.mail("ada")})
    lost = told(await plan(users_world, humans=[ada], serviceUsers=[]))

    assert lost[("removed", f"bob-{tag}")] == {
        "credential": (1, ("password",)),
        "metadata entry": (1, ("x",)),
        "role of a project": (2, (f"reader in shop-{tag}", f"writer in shop-{tag}")),
        "membership": (1, (f"PROJECT_OWNER in shop-{tag}",)),
    }
    [robot] = [kinds for (action, _name), kinds in lost.items() if action == "removed" and "key" in kinds]
    assert robot["key"] == (1, (f"key-{tag}",))


async def test_losses_of_remaining_objects_are_listed(users_world: Any) -> None:
    """A removed role is listed with the users and grants that lose it, although the project remains."""
    await set_up(users_world)
    tag = users_world.tag
    project = {"id": f"shop-{tag}", "name": "shop", "roles": [{"roleKey": "reader"}]}
    lost = told(await plan(users_world, projects=[project]))

    assert lost == {
        ("updated", "shop"): {"role": (1, ("writer",)), "user with a role of the project": (1, (f"bob-{tag}",))},
    }


async def test_no_losses_without_deletions(users_world: Any) -> None:
    """A plan without pruning makes no additional queries, and one that prunes nothing lists nothing."""
    await set_up(users_world)

    assert told(await plan(users_world)) == {}
