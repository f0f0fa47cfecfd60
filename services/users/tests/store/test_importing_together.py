"""Rows of one message that mean one user."""

from __future__ import annotations

import json
from typing import Any

from portico_contracts.users import IMPORT_USERS, ImportUsers


async def test_rows_of_one_address_name_one_user(users_world: Any) -> None:
    """Of many rows for one user the first creates it: the same data exists then, and other data is refused."""
    await users_world.home()
    mail = users_world.mail("ada")
    same, other = (
        json.dumps({"profile": {"firstName": name, "lastName": "Byron"}, "email": {"email": mail}})
        for name in ("Ada", "Eva")
    )
    message = ImportUsers(rows=(*[same] * 50, *[other] * 50), org_id=users_world.org_id)
    outcomes = (await users_world.call(IMPORT_USERS, message)).rows
    [created] = await users_world.rows("users", userName=mail)

    assert [one.status for one in outcomes] == ["created", *["exists"] * 49, *["refused"] * 50]
    assert {one.user_id for one in outcomes[:50]} == {created["_id"]}
    assert {problem.id for one in outcomes[50:] for problem in one.problems} == {"USER-840"}
