"""Rules that once held at one door only (decision 0034), each at another one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from portico_contracts.users import IMPORT_USERS, ImportUsers
from portico_fakes.management_api import call_as

pytestmark = pytest.mark.servers

USER = "portico.user.v2.UserService"
OLD, NEW = "correct horse battery", "nine small sparrows"


@pytest.fixture
async def world(managed: Any) -> Any:
    """A human with a password and a pending code for the address."""
    managed.pat = f"pat-{managed.tag}"
    email = {"email": managed.users.mail("pat"), "returnCode": {}}
    body = managed.new_human("pat", username=managed.pat, email=email, password={"password": OLD})
    assert (await managed.add(body)).code == 0
    return managed


async def call(world: Any, method: str, tail: str, **members: Any) -> str:
    """Calls an operation about the human in the name of an owner; the id of the error."""
    response = await call_as(world, f"{USER}.{method}", members, path=f"/v2/users/{tail}")
    return str(response.error_code)


async def test_another_address_in_a_document_deletes_the_codes_for_the_old_one(world: Any) -> None:
    """A code is about one address, whichever door changes it (HH-08)."""
    human = world.users.human(id=world.pat, username=world.pat, email={"email": world.users.mail("other")})
    before = await world.users.rows("challenges", **{"purpose.userId": world.pat})
    org = {"id": world.org_id, "name": world.org_id, "primaryDomain": world.domain(world.org_id), "humans": [human]}
    await world.users.apply(org)

    assert len(before) == 1
    assert await world.users.rows("challenges", **{"purpose.userId": world.pat}) == []


async def test_a_password_set_by_a_change_of_the_human_ends_the_delay(world: Any) -> None:
    """Wrong passwords before a new one keep its owner from nothing (LG-05)."""
    for _ in range(5):
        await world.users.try_password(world.pat, "a wrong password")
    changed = await call(world, "UpdateHumanUser", f"human/{world.pat}", password={"password": {"password": NEW}})

    assert changed == ""
    assert (await world.users.try_password(world.pat, NEW)).user


async def test_the_evidence_is_checked_before_the_new_password(world: Any) -> None:
    """A caller without the current password or a code learns no rule of passwords, and nothing is hashed."""
    short = {"newPassword": {"password": "short"}}
    path = f"{world.pat}/password"

    assert await call(world, "SetPassword", path, **short, verificationCode="AAAAAA") == "USER-402"
    assert await call(world, "SetPassword", path, **short, currentPassword="not the one") == "USER-403"
    assert await call(world, "SetPassword", path, **short) == "USER-030"


async def test_setting_what_is_stored_writes_no_event(world: Any) -> None:
    """An address and a number that stay as they are need no event, as in a change of the whole human."""
    for _ in range(2):
        assert await call(world, "SetEmail", f"{world.pat}/email", email=world.users.mail("new"), isVerified=True) == ""
        assert await call(world, "SetPhone", f"{world.pat}/phone", phone="+41791234567", isVerified=True) == ""

    assert [event["sequence"] for event in await world.users.rows("events", object=world.pat)] == [1, 2, 3]


async def test_an_unknown_organization_for_all_rows_is_unknown(world: Any) -> None:
    """It has the error of one that a row names: the importer sent no header."""
    row = json.dumps(world.new_human("row"))
    [outcome] = (await world.users.call(IMPORT_USERS, ImportUsers(rows=(row,), org_id="nowhere"))).rows

    assert [(problem.field, problem.id) for problem in outcome.problems] == [("organisation", "USER-314")]
