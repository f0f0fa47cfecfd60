"""A plan that prunes lists what is lost with each deleted object, before anything is written."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import Applied

pytestmark = pytest.mark.servers


def told(applied: Applied) -> dict[tuple[str, str], dict[str, tuple[int, tuple[str, ...]]]]:
    """What is lost with each object, by kind."""
    return {
        (one.action, one.name): {lost.kind: (lost.count, lost.names) for lost in one.along}
        for one in applied.changes
        if one.along or one.action == "removed"
    }


def organization(world: Any, **members: Any) -> dict[str, Any]:
    """The organization the tests are about."""
    return {"id": f"org-{world.tag}", "name": f"Acme {world.tag}", **members}


async def set_up(world: Any) -> None:
    """A project with everything that can hang on it, two people and a program, and a partner the project is granted to."""
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
    """What pruning would do."""
    applied: Applied = await world.apply_document(
        {"organizations": [organization(world, **members)]}, check=True, prune=True
    )
    return applied


async def test_everything_on_a_project_is_named(users_world: Any) -> None:
    """Applications, grants, members and the people who lose a role: how many, and which."""
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


async def test_everything_of_a_user_is_named(users_world: Any) -> None:
    """Credentials, metadata, roles and memberships of a person, keys of a program."""
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


async def test_what_is_taken_out_of_what_stays_is_named(users_world: Any) -> None:
    """A role that goes is taken from people and grants: that is listed as well, although the project stays."""
    await set_up(users_world)
    tag = users_world.tag
    project = {"id": f"shop-{tag}", "name": "shop", "roles": [{"roleKey": "reader"}]}
    lost = told(await plan(users_world, projects=[project]))

    assert lost == {
        ("updated", "shop"): {"role": (1, ("writer",)), "user with a role of the project": (1, (f"bob-{tag}",))},
    }


async def test_no_loss_is_listed_where_nothing_is_deleted(users_world: Any) -> None:
    """A plan without pruning asks nothing more of the database, and one that prunes nothing lists nothing."""
    await set_up(users_world)

    assert told(await plan(users_world)) == {}
