"""The time of setting a password is stored for every operation that sets one, and nothing else changes it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import bcrypt
import pytest
from portico_contracts.token import REVOKE_USER, Revoked, RevokeUser
from portico_contracts.users import CHANGE_PASSWORD, GET_USER, ChangePassword, GetUser, User
from portico_fakes.management_api import call_as

pytestmark = pytest.mark.servers

OLD, NEW = "correct horse battery", "nine small sparrows"
DAY = 86_400


async def user_of(managed: Any, user_id: str) -> User:
    user: User | None = (await managed.users.call(GET_USER, GetUser(user_id=user_id))).user
    assert user
    return user


async def added(managed: Any, **members: Any) -> str:
    response = await managed.add(managed.new_human("pat", username=f"pat-{managed.tag}", **members))
    assert response.code == 0, response.body
    return str(response.body["userId"])


async def with_password(managed: Any) -> str:
    return await added(managed, password={"password": OLD})


async def imported(managed: Any) -> str:
    """Imported with a hash of unknown age, which counts from the import."""
    return await added(managed, hashedPassword={"hash": bcrypt.hashpw(OLD.encode(), bcrypt.gensalt(4)).decode()})


async def reset_by_a_manager(managed: Any) -> str:
    user_id = await added(managed)
    managed.users.clock.tick(DAY)
    response = await call_as(
        managed,
        "portico.user.v2.UserService.SetPassword",
        {"newPassword": {"password": NEW}},
        path=f"/v2/users/{user_id}/password",
    )
    assert response.code == 0, response.body
    return user_id


async def changed_at_sign_in(managed: Any) -> str:
    """Changed with the old password; the response already has the new time, so that no second change is required."""
    user_id = await with_password(managed)
    managed.users.clock.tick(DAY)
    question = ChangePassword(user_id=user_id, current_password=OLD, new_password=NEW)
    changed = (await managed.users.call(CHANGE_PASSWORD, question)).user
    assert changed.password_changed == managed.users.clock.now()
    return user_id


async def registered(managed: Any) -> str:
    mail = managed.users.mail("new")
    sent = await managed.users.register(mail)
    code = await managed.users.newest_code(mail)
    managed.users.clock.tick(60)
    return str((await managed.users.verify(sent.challenge, code)).user_id)


async def declared(managed: Any) -> str:
    human = managed.users.human(id=f"pat-{managed.tag}", username=f"pat-{managed.tag}")
    return await _declare(managed, human | {"password": {"password": OLD}})


async def declared_by_hash(managed: Any) -> str:
    hash = bcrypt.hashpw(OLD.encode(), bcrypt.gensalt(4)).decode()
    human = managed.users.human(id=f"pat-{managed.tag}", username=f"pat-{managed.tag}")
    return await _declare(managed, human | {"password": None, "hashedPassword": {"hash": hash}})


async def _declare(managed: Any, human: dict[str, Any]) -> str:
    await managed.users.apply({"id": managed.org_id, "name": managed.org_id, "humans": [human]})
    return str(human["id"])


@pytest.fixture(autouse=True)
def token(managed: Any) -> None:
    async def revoke(_ask: RevokeUser) -> Revoked:
        return Revoked(grants=0)

    managed.users.bus.respond(REVOKE_USER, revoke)


@pytest.mark.parametrize(
    "way",
    [with_password, imported, reset_by_a_manager, changed_at_sign_in, registered, declared, declared_by_hash],
)
async def test_every_operation_stores_the_password_time(managed: Any, way: Callable[[Any], Awaitable[str]]) -> None:
    """Sign-in and readers of the user get the time; the event log has no additional value."""
    user_id = await way(managed)
    now = managed.users.clock.now()
    managed.users.clock.tick(DAY)
    shown = (await managed.get(user_id)).body["user"]["human"]["passwordChanged"]
    fields = [name for event in await managed.users.rows("events", object=user_id) for name in event["fields"]]

    assert (await user_of(managed, user_id)).password_changed == now
    assert datetime.fromisoformat(shown) == datetime.fromtimestamp(now, UTC)
    assert "password" in fields
    assert "passwordChanged" not in fields


async def test_other_changes_keep_the_password_time(managed: Any) -> None:
    """Neither a change of the user nor rehashing the password at sign-in changes the time."""
    user_id = await imported(managed)
    now = managed.users.clock.now()
    managed.users.clock.tick(DAY)
    assert (await managed.users.try_password(f"pat-{managed.tag}", OLD)).user
    [row] = await managed.users.rows("passwords", _id=user_id)
    response = await call_as(
        managed,
        "portico.user.v2.UserService.UpdateHumanUser",
        {"profile": {"firstName": "Pat", "lastName": "Other"}},
        path=f"/v2/users/human/{user_id}",
    )

    assert response.code == 0, response.body
    assert row["hash"].startswith("$argon2id$")
    assert (await user_of(managed, user_id)).password_changed == now


async def test_password_of_unknown_age_is_as_old_as_the_account(managed: Any) -> None:
    """The maximum age applies to passwords of older releases too, never later than it should."""
    user_id = await with_password(managed)
    created = managed.users.clock.now()
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": user_id}, {"$unset": {"passwordChanged": ""}})
    managed.users.clock.tick(DAY)

    assert (await user_of(managed, user_id)).password_changed == created
    assert "passwordChanged" not in (await managed.get(user_id)).body["user"]["human"]


async def test_user_without_a_password_has_no_password_time(managed: Any) -> None:
    """Neither the creation of the account nor any other time counts without a password."""
    user_id = await added(managed)

    assert (await user_of(managed, user_id)).password_changed == 0
    assert "passwordChanged" not in (await managed.get(user_id)).body["user"]["human"]
