"""Codes that verify the address of an account, and guesses at them."""

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
    """Tests share the queue: what others left is not this test's."""
    await users_world.parts.mongo.database["mails"].delete_many({})


async def send(world: Any, **members: Any) -> EmailCodeSent:
    """Requests a code."""
    return await world.call(SEND_EMAIL_CODE, SendEmailCode(**members))  # type: ignore[no-any-return]


async def somebody(world: Any) -> str:
    """A human whose address is not proven."""
    human = world.human(id=f"alice-{world.tag}", email={"email": world.mail("alice")})
    await world.home(humans=[human])
    return f"alice-{world.tag}"


async def test_right_code_proves_the_address(users_world: Any) -> None:
    """It is a login name from then on, and the event names the changed fields (HH-08)."""
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


async def test_ten_guesses_and_no_more(users_world: Any, other_replica: Any) -> None:
    """The right code does not help after ten wrong ones, however many come at once over two replicas (LG-05, LG-07)."""
    id = await somebody(users_world)
    sent = await send(users_world, user_id=id)
    worlds = [users_world, other_replica] * 20
    wrong = await asyncio.gather(*(world.verify(sent.challenge, "AAAAAA") for world in worlds))
    [row] = await users_world.rows("challenges", _id=fingerprint(sent.challenge))

    assert set(wrong) == {None}
    assert row["guesses"] == 10
    assert await users_world.verify(sent.challenge, await users_world.newest_code(users_world.mail("alice"))) is None


async def test_tenth_guess_still_counts(users_world: Any) -> None:
    """After nine wrong guesses the right code is still accepted."""
    id = await somebody(users_world)
    sent = await send(users_world, user_id=id)
    for _ in range(9):
        assert await users_world.verify(sent.challenge, "") is None

    assert await users_world.verify(sent.challenge, await users_world.newest_code(users_world.mail("alice")))


@pytest.mark.parametrize(("seconds", "proves"), [(3_599, True), (3_600, False), (-10, True), (-11, False)])
async def test_code_is_good_for_an_hour(users_world: Any, seconds: int, proves: bool) -> None:
    """It is good to the second, whenever MongoDB gets round to forgetting it, and by no clock set back (FD-14)."""
    id = await somebody(users_world)
    sent = await send(users_world, user_id=id)
    code = await users_world.newest_code(users_world.mail("alice"))
    users_world.clock.tick(seconds)

    assert bool(await users_world.verify(sent.challenge, code)) is proves


@pytest.mark.parametrize("challenge", ["", "nobody's", "x" * 100_000, "\x00$ne"])
async def test_unknown_challenge_is_a_wrong_code(users_world: Any, challenge: str) -> None:
    """The same answer as for a wrong code (LG-01)."""
    assert await users_world.verify(challenge, "AAAAAA") is None


async def test_newer_code_replaces_the_older(users_world: Any) -> None:
    """Also where the request names the user and not the challenge; each code belongs to its own challenge."""
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


async def test_code_dies_when_the_address_changes(users_world: Any) -> None:
    """It verifies the address it was sent to, and no other (HH-08)."""
    id = await somebody(users_world)
    sent = await send(users_world, user_id=id)
    code = await users_world.newest_code(users_world.mail("alice"))
    changed = users_world.human(id=id, email={"email": users_world.mail("other")})
    await users_world.home(humans=[changed])

    assert await users_world.verify(sent.challenge, code) is None
    assert not (await users_world.rows("users", _id=id))[0]["emailVerified"]


@pytest.mark.parametrize("state", ["inactive", "locked", "deleted"])
async def test_code_of_an_inactive_user_proves_nothing(users_world: Any, state: str) -> None:
    """The code of an inactive user is refused like a wrong one."""
    id = await somebody(users_world)
    sent = await send(users_world, user_id=id)
    code = await users_world.newest_code(users_world.mail("alice"))
    await users_world.parts.mongo.database["users"].update_one({"_id": id}, {"$set": {"state": state}})

    assert await users_world.verify(sent.challenge, code) is None


async def test_registration_can_have_its_code_again(users_world: Any) -> None:
    """Another email, another challenge; an address with an account gets its email again in the same way (LG-01)."""
    await users_world.home(humans=[users_world.human()])
    for mail in (users_world.mail("alice"), users_world.mail("eve")):
        first = await users_world.register(mail)
        before = len(await users_world.mails_to(mail))
        again = await send(users_world, challenge=first.challenge)

        assert again.mail == mail
        assert again.challenge != first.challenge
        assert (before, len(await users_world.mails_to(mail))) == (1, 2)
    assert (await users_world.verify(again.challenge, await users_world.newest_code(mail))).user_name == mail


async def test_sixth_email_to_an_address_waits(users_world: Any) -> None:
    """All requests count for the address, in whatever way it is named."""
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


async def test_nothing_is_sent_where_nothing_is_to_be_proven(users_world: Any) -> None:
    """Unknown users, verified addresses, expired challenges, and requests that name both or neither are refused."""
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


async def test_email_that_was_not_sent_yet_is_replaced(users_world: Any) -> None:
    """Two requests while the server is down lead to one email, with the valid code."""
    id = await somebody(users_world)
    mail = users_world.mail("alice")
    await send(users_world, user_id=id)
    sent = await send(users_world, user_id=id)
    again = await send(users_world, challenge=sent.challenge)

    assert len(await users_world.mails_to(mail)) == 1
    assert await users_world.verify(again.challenge, await users_world.newest_code(mail))
