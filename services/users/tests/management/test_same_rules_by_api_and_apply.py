"""Rules that once applied to a single entry point (decision 0034), tested at another one."""

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
    managed.pat = f"pat-{managed.tag}"
    email = {"email": managed.users.mail("pat"), "returnCode": {}}
    body = managed.new_human("pat", username=managed.pat, email=email, password={"password": OLD})
    assert (await managed.add(body)).code == 0
    return managed


async def call(world: Any, method: str, tail: str, **members: Any) -> str:
    response = await call_as(world, f"{USER}.{method}", members, path=f"/v2/users/{tail}")
    return str(response.error_code)


async def test_document_with_new_address_deletes_codes(world: Any) -> None:
    """A code is valid for one address, whichever entry point changes it (HH-08)."""
    human = world.users.human(id=world.pat, username=world.pat, email={"email": world.users.mail("other")})
    before = await world.users.rows("challenges", **{"purpose.userId": world.pat})
    org = {"id": world.org_id, "name": world.org_id, "primaryDomain": world.domain(world.org_id), "humans": [human]}
    await world.users.apply(org)

    assert len(before) == 1
    assert await world.users.rows("challenges", **{"purpose.userId": world.pat}) == []


async def test_password_set_by_an_update_resets_attempts(world: Any) -> None:
    """Wrong attempts at the old password do not delay the owner of the new one (LG-05)."""
    for _ in range(5):
        await world.users.try_password(world.pat, "a wrong password")
    changed = await call(world, "UpdateHumanUser", f"human/{world.pat}", password={"password": {"password": NEW}})

    assert changed == ""
    assert (await world.users.try_password(world.pat, NEW)).user


async def test_evidence_is_checked_before_the_new_password(world: Any) -> None:
    """Without the current password or a code, no policy is revealed and nothing is hashed."""
    short = {"newPassword": {"password": "short"}}
    path = f"{world.pat}/password"

    assert await call(world, "SetPassword", path, **short, verificationCode="AAAAAA") == "USER-402"
    assert await call(world, "SetPassword", path, **short, currentPassword="not the one") == "USER-403"
    assert await call(world, "SetPassword", path, **short) == "USER-030"


async def test_unchanged_contact_writes_no_event(world: Any) -> None:
    """Setting the current address or phone number writes no event, as in an update of the whole user."""
    for _ in range(2):
        assert await call(world, "SetEmail", f"{world.pat}/email", email=world.users.mail("new"), isVerified=True) == ""
        assert await call(world, "SetPhone", f"{world.pat}/phone", phone="+41791234567", isVerified=True) == ""

    assert [event["sequence"] for event in await world.users.rows("events", object=world.pat)] == [1, 2, 3]


async def test_unknown_default_organization_of_an_import(world: Any) -> None:
    """An unknown default organization gives the same error as one in a row."""
    row = json.dumps(world.new_human("row"))
    [outcome] = (await world.users.call(IMPORT_USERS, ImportUsers(rows=(row,), org_id="nowhere"))).rows

    assert [(problem.field, problem.id) for problem in outcome.problems] == [("organisation", "USER-314")]
