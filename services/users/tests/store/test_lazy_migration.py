"""Sign-ins of users whom only the old system knows (decision 0103)."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import time
from typing import Any

import pytest
from portico_contracts.users import VerifyPassword
from portico_oauth.errors import ServiceError
from portico_runtime.http_client.outbound import OutboundResponse
from portico_runtime.http_client.outbound_connection import NoResponse
from portico_users.lazy_migration.migrating_sign_in import EqualDelay, MigrationHooks
from portico_users.lazy_migration.migration_claims import UNKNOWN_SECONDS
from portico_users.lazy_migration.migration_hook import FAILURES, REST_SECONDS, MigrationHook

from .moving_users import KEY, PASSWORD, Moving, import_row

pytestmark = pytest.mark.servers


@pytest.fixture
async def moving(users_world: Any) -> Moving:
    moving = Moving(users_world)
    await moving.begin()
    return moving


async def test_user_is_asked_about_until_migrated(moving: Moving) -> None:
    """A wrong password creates no user; the right one creates the user with a hash here, and is the last question."""
    wrong = await moving.try_password(password="not what they had")
    before = await moving.users()
    right = await moving.try_password()
    again = await moving.try_password()
    wrong_here = await moving.try_password(password="not what they had")
    [user] = await moving.users()

    assert (wrong.user, before) == (None, [])
    assert right.user is not None
    assert again.user is not None
    assert wrong_here.user is None
    assert len(moving.old.asked) == 2
    assert (right.user.user_id, right.user.email_verified) == (f"old-{moving.world.tag}", True)
    assert not right.user.password_change_required
    assert user["emailProof"]["kind"] == "asserted"
    assert await moving.world.rows("migrationClaims", unknown=False) == []


@pytest.mark.parametrize(
    "members",
    [
        {"profile": {"firstName": "Grace", "lastName": ""}},
        {"profile": {"firstName": "Grace", "lastName": None}},
        {"profile": {"firstName": "Grace", "lastName": None, "nickName": None}, "phone": None, "metadata": None},
        {"profile": {"firstName": "Grace"}},
    ],
    ids=["empty", "null", "more nulls", "absent"],
)
async def test_user_with_one_name_is_migrated(moving: Moving, members: dict[str, Any]) -> None:
    """A null member is an absent one, as in every JSON of the management API (decision 0115)."""
    moving.old.people[moving.grace] = (PASSWORD, moving.row(**members))
    migrated = await moving.try_password()
    [user] = await moving.users()

    assert migrated.user is not None
    assert (user["firstName"], user.get("lastName", ""), user["displayName"]) == ("Grace", "", "Grace")


async def test_question_is_signed_as_a_webhook(moving: Moving) -> None:
    await moving.try_password()
    [(data, body, headers)] = moving.old.asked
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}".encode()
    signature = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()

    assert data == {"organizationId": moving.world.org_id, "loginName": moving.grace, "password": PASSWORD}
    assert headers["webhook-signature"] == f"v1,{signature}"


async def test_unknown_name_is_asked_about_once_an_hour(moving: Moving) -> None:
    """The answer is remembered under a hash of the name."""
    name = f"unknown-{moving.world.tag}"
    for _ in range(3):
        assert (await moving.try_password(name)).user is None
    asked = len(moving.old.asked)
    remembered = await moving.world.rows("migrationClaims", unknown=True)
    moving.world.clock.tick(UNKNOWN_SECONDS)
    await moving.try_password(name)

    assert (asked, len(moving.old.asked)) == (1, 2)
    assert name not in repr(remembered)


@pytest.mark.parametrize(
    "answer",
    [
        NoResponse("TimeoutError"),
        OutboundResponse(500, b""),
        OutboundResponse(200, b"<html>"),
        OutboundResponse(200, b'{"result": "yes"}'),
        OutboundResponse(200, b'{"result": "\xff"}'),
        OutboundResponse(200, b'{"result": "right_password", "user": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"),
    ],
)
async def test_hook_that_is_away_is_a_wrong_password(moving: Moving, answer: Any) -> None:
    """After three failures it rests, and then the same user is migrated."""
    moving.old.answer = answer
    refused = [await moving.try_password() for _ in range(FAILURES + 1)]
    asked = len(moving.old.asked)
    moving.old.answer = None
    moving.world.clock.tick(REST_SECONDS)

    assert [one.user for one in refused] == [None] * (FAILURES + 1)
    assert asked == FAILURES
    assert (await moving.try_password()).user is not None


async def test_concurrent_sign_ins_create_one_user(moving: Moving, other_replica: Any) -> None:
    """On two replicas one question is sent, and all sign in."""
    other_replica.service.find(MigrationHook)._outbound = moving.old
    migrated = asyncio.Event()
    for world in (moving.world, other_replica):
        world.service.find(EqualDelay).wait = lambda _until: migrated.wait()
    tries = [asyncio.create_task(moving.try_password(world=world)) for world in [moving.world, other_replica] * 2]
    await asyncio.wait(tries, return_when=asyncio.FIRST_COMPLETED)
    migrated.set()
    verified = await asyncio.gather(*tries)

    assert [one.user is not None for one in verified] == [True] * 4
    assert len(moving.old.asked) == 1
    assert len(await moving.users()) == 1


@pytest.mark.parametrize("imported", [False, True], ids=["unknown", "without a password"])
async def test_user_migrated_meanwhile_signs_in(
    moving: Moving, monkeypatch: pytest.MonkeyPatch, imported: bool
) -> None:
    """A sign-in that begins before another one has migrated the user, and continues afterwards, sends no question."""
    if imported:
        await import_row(moving.world, moving.row())
    find = MigrationHooks.find

    async def find_later(self: MigrationHooks, ask: VerifyPassword) -> Any:
        monkeypatch.setattr(MigrationHooks, "find", find)
        assert (await moving.try_password()).user is not None
        return await find(self, ask)

    monkeypatch.setattr(MigrationHooks, "find", find_later)

    assert (await moving.try_password()).user is not None
    assert len(moving.old.asked) == 1


async def test_wrong_passwords_take_equally_long(moving: Moving) -> None:
    """Of users here, users there, unknown names, and remembered ones; without a hook there is no delay (LG-01)."""
    await moving.try_password()
    unknown, there = f"unknown-{moving.world.tag}", f"there-{moving.world.tag}"
    moving.old.people[there] = (PASSWORD, moving.row())
    moving.world.service.find(EqualDelay).seconds = 0.3
    took = []
    for name in (moving.grace, there, unknown, unknown):
        began = time.perf_counter()
        assert (await moving.try_password(name, "not what they had")).user is None
        took.append(time.perf_counter() - began)

    assert min(took) >= 0.3


async def test_attempts_are_counted_before_the_question(moving: Moving) -> None:
    """The back-off of a name also limits how often the old system can be asked about it (LG-05)."""
    for _ in range(5):
        await moving.try_password(password="not what they had")
    with pytest.raises(ServiceError):
        await moving.try_password()

    assert len(moving.old.asked) == 5
    assert await moving.users() == []


@pytest.mark.parametrize("user", [b'"\xff"', b"7", b'"grace"', b'{"username": "\xed\xa0\x80"}', b"null"])
async def test_unreadable_user_is_a_wrong_password(moving: Moving, user: bytes) -> None:
    moving.old.answer = OutboundResponse(200, b'{"result": "right_password", "user": ' + user + b"}")

    assert (await moving.try_password()).user is None


@pytest.mark.parametrize(
    "row",
    [
        {"username": "someone-else"},
        {"username": "someone-else", "email": {"email": "grace@mail.example"}},
        {"unknownMember": True},
        {"profile": {}},
        {"groups": ["no such group"]},
        {"organisation": {"orgId": "another"}},
    ],
)
async def test_unusable_user_is_not_created(moving: Moving, row: dict[str, Any]) -> None:
    """A hook may not create another user than the one who signs in (USER-151), nor one that an import refuses."""
    moving.old.people[moving.grace] = (PASSWORD, moving.row(**row))

    assert (await moving.try_password()).user is None
    assert await moving.users() == []


async def test_user_of_groups_is_put_into_them(moving: Moving) -> None:
    """`groups` and `organisation` of the answer count as in a row of an import."""
    await moving.begin(groups=[{"id": f"staff-{moving.world.tag}", "name": "Staff"}])
    row = moving.row(groups=["Staff"], organisation={"orgId": moving.world.org_id})
    moving.old.people[moving.grace] = (PASSWORD, row)
    verified = await moving.try_password()
    [user] = await moving.users()

    assert verified.user is not None
    assert [group["id"] for group in user["groups"]] == [f"staff-{moving.world.tag}"]


async def test_password_that_breaks_the_rules_must_be_changed(moving: Moving) -> None:
    moving.old.people[moving.grace] = ("short", moving.row())
    verified = await moving.try_password(password="short")

    assert verified.user is not None
    assert verified.user.password_change_required


async def test_imported_user_without_a_password_gets_it(users_world: Any) -> None:
    """Users who had a password, or have another way to sign in, cause no question."""
    moving = Moving(users_world)
    await moving.begin()
    await import_row(users_world, moving.row())
    verified = await moving.try_password()
    linked = moving.row(
        userId=f"linked-{users_world.tag}",
        username=f"linked-{users_world.tag}",
        email={"email": f"linked-{users_world.tag}@mail.example", "isVerified": True},
    )
    await import_row(users_world, linked)
    await users_world.parts.mongo.database["users"].update_one(
        {"_id": linked["userId"]}, {"$set": {"passwordChanged": 5.0}}
    )
    refused = await moving.try_password(linked["username"])

    assert verified.user is not None
    assert len(moving.old.asked) == 1
    assert refused.user is None


@pytest.mark.parametrize(("wrong", "state"), [(1, "active"), (2, "locked")])
async def test_imported_user_is_locked_after_the_old_system_was_asked(users_world: Any, wrong: int, state: str) -> None:
    """The last attempt that the lockout policy leaves may be right, as with a password that is known here."""
    moving = Moving(users_world)
    await moving.begin(lockoutPolicy={"maxPasswordAttempts": 2})
    await import_row(users_world, moving.row())
    for _ in range(wrong):
        assert (await moving.try_password(password="not what they had")).user is None
    verified = await moving.try_password()
    [user] = await moving.users()

    assert (verified.user is not None, user["state"]) == (state == "active", state)


async def test_wrong_passwords_at_once_count_once_each(users_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that waits for the other's answer compares again, which is no further attempt (LG-05)."""
    moving, waiting, ask = Moving(users_world), asyncio.Event(), MigrationHook.ask
    await moving.begin(lockoutPolicy={"maxPasswordAttempts": 3})
    await import_row(users_world, moving.row())

    async def ask_later(self: MigrationHook, *question: Any) -> Any:
        await waiting.wait()
        return await ask(self, *question)

    async def wait(_until: float) -> None:
        waiting.set()

    monkeypatch.setattr(MigrationHook, "ask", ask_later)
    users_world.service.find(EqualDelay).wait = wait
    await asyncio.gather(*(moving.try_password(password="not what they had") for _ in range(2)))

    assert (await moving.try_password()).user is not None


async def test_wrong_password_beside_the_right_one_is_the_first(
    users_world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The right password ends the count; the wrong one, compared again after it, locks only if it is one too many."""
    moving, first, second, ask = Moving(users_world), asyncio.Event(), asyncio.Event(), MigrationHook.ask
    await moving.begin(lockoutPolicy={"maxPasswordAttempts": 2})
    await import_row(users_world, moving.row())

    async def ask_later(self: MigrationHook, *question: Any) -> Any:
        first.set()
        await second.wait()
        return await ask(self, *question)

    monkeypatch.setattr(MigrationHook, "ask", ask_later)
    right = asyncio.create_task(moving.try_password())
    await first.wait()

    async def wait(_until: float) -> None:
        second.set()
        await right

    users_world.service.find(EqualDelay).wait = wait
    wrong = await moving.try_password(password="not what they had")
    [user] = await moving.users()

    assert (wrong.user, (await right).user is not None, user["state"]) == (None, True, "active")


@pytest.mark.parametrize("state", ["locked", "inactive"])
@pytest.mark.parametrize("migrated", [False, True])
async def test_user_who_may_not_sign_in_causes_no_question(moving: Moving, state: str, *, migrated: bool) -> None:
    """The old system gets no password of a user who was locked or deactivated here."""
    await import_row(moving.world, moving.row())
    if migrated:
        assert (await moving.try_password()).user is not None
        moving.old.asked.clear()
    users = moving.world.parts.mongo.database["users"]
    await users.update_many({"orgId": moving.world.org_id}, {"$set": {"state": state}})

    assert (await moving.try_password()).user is None
    assert moving.old.asked == []


async def test_organization_without_a_hook_sends_no_question(users_world: Any) -> None:
    moving = Moving(users_world)
    await users_world.home()

    assert (await moving.try_password()).user is None
    assert moving.old.asked == []


async def test_no_password_is_sent_where_none_is_allowed(moving: Moving) -> None:
    """The organization's sign-ins start without passwords (decision 0143)."""
    await moving.begin(loginPolicy={"firstFactors": ["passkey"]})
    refused = await moving.try_password()

    assert (refused.user, moving.old.asked, await moving.users()) == (None, [], [])
