from __future__ import annotations

from typing import Any

import pytest
from portico_users.resources.accounts.left_members import LeftMembers

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
