"""Rows of an import name groups of the organization."""

from __future__ import annotations

import json
from typing import Any

import pytest
from portico_contracts.users import ImportUsers
from portico_users.user_import.commands.user_import import UserImport

from .test_importing import fields, import_rows, row

pytestmark = pytest.mark.servers


async def test_imported_users_are_in_their_groups(users_world: Any) -> None:
    """Groups are named by id or name; a repetition finds the user with the same data, and an unknown group is an error."""
    world = users_world
    await world.home(groups=[{"id": f"staff-{world.tag}", "name": "Staff"}, {"name": "Authors"}])
    rows = [
        row(world, name, groups=groups)
        for name, groups in (("ada", ["authors", f"staff-{world.tag}"]), ("bob", ["Staff"]))
    ]
    first = await import_rows(world, *rows, org_id=world.org_id)
    again = await import_rows(world, *rows, org_id=world.org_id)
    unknown = await import_rows(world, row(world, "eve", groups=["Staff", "none"]), org_id=world.org_id)
    stored = [(await world.rows("users", _id=one.user_id))[0]["groups"] for one in first]

    assert [{one["name"] for one in groups} for groups in stored] == [{"Authors", "Staff"}, {"Staff"}]
    assert [one.status for one in again] == ["exists", "exists"]
    assert fields(unknown[0]) == [("groups[1]", "USER-101")]


async def test_callers_who_may_not_grant_roles_fill_no_groups(users_world: Any) -> None:
    """An administrator who may create users gives them no roles by a group (decision 0098)."""
    world = users_world
    await world.home(groups=[{"name": "Staff"}])
    ask = ImportUsers(rows=(json.dumps(row(world, groups=["Staff"])),), org_id=world.org_id)
    done = await world.service.find(UserImport).import_own(ask, "manager", may_join=False)

    assert [fields(one) for one in done.rows] == [[("groups", "USER-111")]]
