from __future__ import annotations

from typing import Any

import pytest
from portico_users.projects.left_of_projects import LeftApps, LeftMembers

pytestmark = pytest.mark.servers


async def test_members_of_removed_projects_are_removed(users_world: Any) -> None:
    """Earlier releases left them, where no call could remove them."""
    migration = users_world.service.find(LeftMembers)
    while (await migration.carry("")).after is not None:
        pass
    members = [{"user": f"robot-{users_world.tag}", "roles": ["PROJECT_OWNER"]}]
    projects = [{"id": f"{name}-{users_world.tag}", "name": name, "members": members} for name in ("kept", "gone")]
    await users_world.home(projects=projects, serviceUsers=[users_world.robot()])
    gone = {"_id": f"gone-{users_world.tag}"}
    await users_world.parts.mongo.database["projects"].update_one(gone, {"$set": {"state": "deleted"}})
    left = await migration.count_left(), (await migration.carry("")).changed, await migration.count_left()
    stored = await users_world.rows("members", userId=f"robot-{users_world.tag}")

    assert left == (1, 1, 0)
    assert [row["scopeId"] for row in stored if row["roles"]] == [f"kept-{users_world.tag}"]


async def test_applications_of_removed_projects_are_removed(users_world: Any) -> None:
    """Earlier releases left them with their resources, which no other application could have."""
    tag, database = users_world.tag, users_world.parts.mongo.database
    migration = users_world.service.find(LeftApps)
    while (await migration.carry("")).after is not None:
        pass
    projects = [
        {"id": f"{name}-{tag}", "name": name, "apiApps": [{"id": f"app-{name}-{tag}", "name": name}]}
        for name in ("kept", "gone")
    ]
    await users_world.home(projects=projects)
    await database["projects"].update_one({"_id": f"gone-{tag}"}, {"$set": {"state": "deleted"}})
    await database["apps"].update_one(
        {"_id": f"app-gone-{tag}"}, {"$set": {"resources": ["urn:x"], "resourceKeys": [f"urn:x-{tag}"]}}
    )
    left = await migration.count_left(), (await migration.carry("")).changed, await migration.count_left()
    stored = {row["_id"]: row for row in await users_world.rows("apps", projectId={"$regex": f"-{tag}$"})}

    assert left == (1, 1, 0)
    assert {id: row["state"] for id, row in stored.items()} == {
        f"app-kept-{tag}": "active",
        f"app-gone-{tag}": "deleted",
    }
    assert "resourceKeys" not in stored[f"app-gone-{tag}"]
