from __future__ import annotations

import asyncio
from typing import Any

import pytest
from portico_contracts.users import SEND_EMAIL_CODE, EmailCodeSent, SendEmailCode
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import fingerprint

pytestmark = pytest.mark.servers


@pytest.fixture(autouse=True)
async def empty_mailbag(users_world: Any) -> None:
    await users_world.parts.mongo.database["mails"].delete_many({})


async def send(world: Any, **members: Any) -> EmailCodeSent:
    return await world.call(SEND_EMAIL_CODE, SendEmailCode(**members))  # type: ignore[no-any-return]


async def somebody(world: Any) -> str:
    human = world.human(id=f"alice-{world.tag}", email={"email": world.mail("alice")})
    await world.home(humans=[human])
    return f"alice-{world.tag}"


async def test_right_code_verifies_the_address(users_world: Any) -> None:
    """The address becomes a login name, and the event has the changed fields (HH-08)."""
    id = await somebody(users_world)
    mail = users_world.mail("alice")
    sent = await send(users_world, user_id=id, languages=("ar",))
    user = await users_world.verify(sent.challenge, (await users_world.newest_code(mail)).lower())
    events = await users_world.rows("events", object=id)

    assert sent.mail == mail
    assert (user.user_id, user.email_verified) == (id, True)
    assert set(events[-1]["fields"]) == {"emailVerified", "emailProof"}
    assert (await users_world.mails_to(mail))[0]["Content-Language"] == "ar"
    assert (await users_world.try_password(mail, users_world.password)).user == user


async def test_ten_guesses_per_code(users_world: Any, other_replica: Any) -> None:
    """The right code does not work after ten wrong ones, also concurrently on two replicas (LG-05, LG-07)."""
    id = await somebody(users_world)
    sent = await send(users_world, user_id=id)
    worlds = [users_world, other_replica] * 20
    wrong = await asyncio.gather(*(world.verify(sent.challenge, "AAAAAA") for world in worlds))
    [row] = await users_world.rows("challenges", _id=fingerprint(sent.challenge))

    assert set(wrong) == {None}
    assert row["guesses"] == 10
    assert await users_world.verify(sent.challenge, await users_world.newest_code(users_world.mail("alice"))) is None


async def test_tenth_guess_can_succeed(users_world: Any) -> None:
    """After nine wrong guesses the right code is still accepted."""
    id = await somebody(users_world)
    sent = await send(users_world, user_id=id)
    for _ in range(9):
        assert await users_world.verify(sent.challenge, "") is None

    assert await users_world.verify(sent.challenge, await users_world.newest_code(users_world.mail("alice")))


@pytest.mark.parametrize(("seconds", "proves"), [(3_599, True), (3_600, False), (-10, True), (-11, False)])
async def test_code_is_valid_for_one_hour(users_world: Any, seconds: int, proves: bool) -> None:
    """The code expires on the second, before MongoDB deletes it, and is invalid if the clock was set back (FD-14)."""
    id = await somebody(users_world)
    sent = await send(users_world, user_id=id)
    code = await users_world.newest_code(users_world.mail("alice"))
    users_world.clock.tick(seconds)

    assert bool(await users_world.verify(sent.challenge, code)) is proves


@pytest.mark.parametrize("challenge", ["", "nobody's", "x" * 100_000, "\x00$ne"])
async def test_unknown_challenge_is_refused_like_a_wrong_code(users_world: Any, challenge: str) -> None:
    """The response equals that for a wrong code (LG-01)."""
    assert await users_world.verify(challenge, "AAAAAA") is None


async def test_newer_code_replaces_the_older(users_world: Any) -> None:
    """This also applies if the request has the user instead of the challenge; each code belongs to its challenge."""
    id = await somebody(users_world)
    mail = users_world.mail("alice")
    first = await send(users_world, user_id=id)
    old = await users_world.newest_code(mail)
    second = await send(users_world, challenge=first.challenge)
    newer = await users_world.newest_code(mail)
    third = await send(users_world, user_id=id)
    newest = await users_world.newest_code(mail)

    assert len({first.challenge, second.challenge, third.challenge}) == len({old, newer, newest}) == 3
    assert await users_world.verify(first.challenge, old) is None
    assert await users_world.verify(second.challenge, newer) is None
    assert await users_world.verify(third.challenge, newer) is None
    assert await users_world.verify(third.challenge, newest)


async def test_code_becomes_invalid_when_the_address_changes(users_world: Any) -> None:
    """A code verifies only the address it was sent to (HH-08)."""
    id = await somebody(users_world)
    sent = await send(users_world, user_id=id)
    code = await users_world.newest_code(users_world.mail("alice"))
    changed = users_world.human(id=id, email={"email": users_world.mail("other")})
    await users_world.home(humans=[changed])

    assert await users_world.verify(sent.challenge, code) is None
    assert not (await users_world.rows("users", _id=id))[0]["emailVerified"]


@pytest.mark.parametrize("state", ["inactive", "locked", "deleted"])
async def test_code_of_an_inactive_user_is_refused(users_world: Any, state: str) -> None:
    """The code of an inactive user is refused like a wrong one."""
    id = await somebody(users_world)
    sent = await send(users_world, user_id=id)
    code = await users_world.newest_code(users_world.mail("alice"))
    await users_world.parts.mongo.database["users"].update_one({"_id": id}, {"$set": {"state": state}})

    assert await users_world.verify(sent.challenge, code) is None


async def test_registration_code_can_be_resent(users_world: Any) -> None:
    """The new email has another challenge; an address with an account gets its email again alike (LG-01)."""
    await users_world.home(humans=[users_world.human()])
    for mail in (users_world.mail("alice"), users_world.mail("eve")):
        first = await users_world.register(mail)
        before = len(await users_world.mails_to(mail))
        again = await send(users_world, challenge=first.challenge)

        assert again.mail == mail
        assert again.challenge != first.challenge
        assert (before, len(await users_world.mails_to(mail))) == (1, 2)
    assert (await users_world.verify(again.challenge, await users_world.newest_code(mail))).user_name == mail


async def test_sixth_email_to_an_address_is_delayed(users_world: Any) -> None:
    """All requests for an address are counted, however it is identified."""
    id = await somebody(users_world)
    sent = await send(users_world, user_id=id)
    for _ in range(4):
        sent = await send(users_world, challenge=sent.challenge)
    for members in ({"user_id": id}, {"challenge": sent.challenge}):
        with pytest.raises(ServiceError) as refused:
            await send(users_world, **members)

        assert (refused.value.kind, refused.value.id, refused.value.retry_after) == (
            Kind.TOO_MANY_REQUESTS,
            "USER-062",
            60,
        )
    users_world.clock.tick(60)

    assert await send(users_world, challenge=sent.challenge)


async def test_invalid_requests_send_no_email(users_world: Any) -> None:
    """Unknown users, verified addresses, expired challenges, and requests with both or neither are refused."""
    await users_world.home(humans=[users_world.human(id=f"alice-{users_world.tag}")])
    asked: dict[str, dict[str, str]] = {
        "USER-065": {"user_id": f"alice-{users_world.tag}"},
        "USER-014": {"challenge": "gone"},
        "PORT-005": {},
    }
    for id, members in asked.items():
        with pytest.raises(ServiceError) as refused:
            await send(users_world, **members)

        assert refused.value.id == id
    with pytest.raises(ServiceError, match="USER-065"):
        await send(users_world, user_id="nobody")
    assert await users_world.rows("mails") == []


async def test_pending_email_is_replaced(users_world: Any) -> None:
    """Two requests during a mail server outage lead to one email, with the valid code."""
    id = await somebody(users_world)
    mail = users_world.mail("alice")
    await send(users_world, user_id=id)
    sent = await send(users_world, user_id=id)
    again = await send(users_world, challenge=sent.challenge)

    assert len(await users_world.mails_to(mail)) == 1
    assert await users_world.verify(again.challenge, await users_world.newest_code(mail))
