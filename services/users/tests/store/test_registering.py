from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from portico_contracts.users import (
    FIND_USER,
    GET_LOGIN_POLICY,
    REGISTER,
    SEND_PASSWORD_LINK,
    FindUser,
    GetLoginPolicy,
    Register,
    SendPasswordLink,
)
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import fingerprint
from portico_users.assembly.service import Service
from portico_users.credentials.attempts.attempts import of_sender
from portico_users.credentials.passwords.hashing import HASH_SECONDS
from portico_users.settings import Settings

pytestmark = pytest.mark.servers


@pytest.fixture(autouse=True)
async def empty_mailbag(users_world: Any) -> None:
    await users_world.parts.mongo.database["mails"].delete_many({})


def hashes() -> float:
    return next(
        sample.value for metric in HASH_SECONDS.collect() for sample in metric.samples if sample.name.endswith("_count")
    )


async def found(world: Any, login_name: str) -> Any:
    return (await world.call(FIND_USER, FindUser(login_name=login_name, org_id=""))).user


async def test_registration_creates_a_verified_user(users_world: Any) -> None:
    """The right code creates the account with its event in one transaction, with the chosen password."""
    await users_world.home()
    mail = users_world.mail()
    sent = await users_world.register(mail, languages=("de-CH", "en"))
    user = await users_world.verify(sent.challenge, await users_world.newest_code(mail))
    [row] = await users_world.rows("users", _id=user.user_id)
    [event] = await users_world.rows("events", object=user.user_id)

    assert sent.mail == mail
    assert (user.user_name, user.org_id, user.email_verified, user.has_password) == (
        mail,
        users_world.org_id,
        True,
        True,
    )
    assert (row["displayName"], row["preferredLanguage"]) == ("Eve Example", "de")
    assert (event["action"], event["actor"]) == ("created", user.user_id)
    assert {"password", "emailVerified"} <= set(event["fields"])
    assert [outgoing["object"] for outgoing in await users_world.rows("outbox", object=user.user_id)] == [user.user_id]
    assert (await users_world.try_password(mail, users_world.password)).user == user


async def test_account_does_not_exist_before_verification(users_world: Any) -> None:
    """Until the code is entered there is no sign-in, no name is taken, and no event is published."""
    await users_world.home()
    mail = users_world.mail()
    await users_world.register(mail)

    assert await found(users_world, mail) is None
    assert (await users_world.try_password(mail, users_world.password)).user is None
    assert await users_world.rows("users", nameKey=mail) == []


async def test_registered_address_gets_the_same_response(users_world: Any) -> None:
    """Known and unknown addresses differ only in the email, which is sent to the owner (LG-01)."""
    await users_world.home(humans=[users_world.human()])
    known, unknown = users_world.mail("alice"), users_world.mail("eve")
    counted, rows = [], []
    for mail in (known, unknown):
        before = hashes()
        sent = await users_world.register(mail)
        counted.append(hashes() - before)
        rows += await users_world.rows("challenges", _id=fingerprint(sent.challenge))
        assert sent.mail == mail
        assert len(sent.challenge) == 43
        assert await users_world.verify(sent.challenge, "AAAAAA") is None
    [told] = await users_world.mails_to(known)

    assert counted == [1, 1]
    assert [row["guesses"] for row in rows] == [0, 0]
    assert rows[0].keys() == rows[1].keys()
    assert users_world.user_name in told.get_body(("plain",)).get_content()
    assert "already" in str(told["Subject"])
    assert len(await users_world.mails_to(unknown)) == 1


async def test_sign_in_after_registration_discloses_nothing(users_world: Any) -> None:
    """The password of an unverified registration works neither for an existing account nor for a new one (LG-01)."""
    await users_world.home(humans=[users_world.human()])
    for mail in (users_world.mail("alice"), users_world.mail("eve")):
        await users_world.register(mail, password="a stranger's choice")

        assert (await users_world.try_password(mail, "a stranger's choice")).user is None
    assert (await users_world.try_password(users_world.user_name, users_world.password)).user is not None


async def test_email_is_sent_to_the_verified_spelling(users_world: Any) -> None:
    """Addresses that look or fold alike are one name but two mailboxes: only the verified one receives email
    (LG-01).
    """
    await users_world.home(humans=[users_world.human()])
    await users_world.register(users_world.mail("ALICE"))
    await users_world.register(users_world.mail("ａlice"))
    await users_world.mails_to("")

    assert {str(mail["To"]) for mail in users_world.kept.taken} == {users_world.mail("alice")}


@pytest.mark.parametrize("state", ["locked", "inactive"])
async def test_locked_user_cannot_register_again(users_world: Any, state: str) -> None:
    """A locked user gets no second account with the same address."""
    await users_world.home(humans=[users_world.human()])
    users = users_world.parts.mongo.database["users"]
    await users.update_one({"nameKey": users_world.user_name}, {"$set": {"state": state}})
    mail = users_world.mail("alice")
    await users_world.register(mail)

    assert "already" in str((await users_world.mails_to(mail))[0]["Subject"])


async def test_address_equal_to_another_name_gets_new_name(users_world: Any) -> None:
    """The account gets another user name, which its email states; the other account keeps its name."""
    mail = users_world.mail()
    await users_world.home(humans=[users_world.human(username=mail)])
    sent = await users_world.register(mail)
    [told] = await users_world.mails_to(mail)
    user = await users_world.verify(sent.challenge, await users_world.newest_code(mail))

    assert user.user_name.startswith(f"eve-{users_world.tag}-")
    assert user.user_name in told.get_body(("plain",)).get_content()
    assert (await found(users_world, user.user_name)).user_id == user.user_id


async def test_code_is_valid_once_concurrently(users_world: Any, other_replica: Any) -> None:
    """Of eight concurrent right codes exactly one creates the account (LG-19)."""
    await users_world.home()
    mail = users_world.mail()
    sent = await users_world.register(mail)
    code = await users_world.newest_code(mail)
    users = await asyncio.gather(
        *(world.verify(sent.challenge, code) for world in (users_world, other_replica) for _ in range(4))
    )

    assert len([user for user in users if user is not None]) == 1
    assert await users_world.verify(sent.challenge, code) is None


@pytest.mark.parametrize(
    ("members", "id"),
    [
        ({"mail": "eve"}, "USER-005"),
        ({"mail": "eve@mail.example "}, "USER-005"),
        ({"mail": "eve@mail.example\r\nBcc: all@mail.example"}, "USER-005"),
        ({"mail": f"{'e' * 200}@mail.example"}, "USER-005"),
        ({"first_name": ""}, "USER-002"),
        ({"last_name": "E\n"}, "USER-002"),
        ({"first_name": "E" * 201}, "USER-002"),
        ({"password": "short"}, "USER-030"),
        ({"password": "x" * 201}, "USER-031"),
        ({"password": "password123"}, "USER-035"),
        ({"mail": "evelyn@mail.example", "password": "it is evelyn here"}, "USER-032"),
    ],
)
async def test_form_is_validated_before_any_lookup(users_world: Any, members: dict[str, str], id: str) -> None:
    """Names, address and password follow the rules of all users (LG-15, LG-24); nothing is hashed or sent for an
    invalid form.
    """
    await users_world.home()
    before = hashes()
    with pytest.raises(ServiceError) as refused:
        await users_world.register(members.pop("mail", users_world.mail()), **members)

    assert (refused.value.kind, refused.value.id) == (Kind.INVALID_REQUEST, id)
    assert hashes() == before
    assert await users_world.rows("mails") == []


async def test_policy_decides_who_may_register(users_world: Any) -> None:
    """An organization without registration, and an unknown one, refuses it."""
    await users_world.home(loginPolicy={"mayRegister": False})
    with pytest.raises(ServiceError) as closed:
        await users_world.register(users_world.mail())
    with pytest.raises(ServiceError) as unknown:
        await users_world.register(users_world.mail(), org_id="nobody")

    assert (closed.value.kind, closed.value.id) == (Kind.PERMISSION_DENIED, "USER-063")
    assert (unknown.value.kind, unknown.value.id) == (Kind.NOT_FOUND, "USER-060")


async def test_registration_requires_a_mail_server(users_world: Any, cheap_hashing: Settings) -> None:
    """Without a mail server the policy offers no registration, and a request is answered 503."""
    await users_world.home()
    bus = MemoryBus()
    service = Service(cheap_hashing, replace(users_world.parts, bus=bus, transport=None))
    service.messages.answer_on(bus)
    policy = await bus.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=users_world.org_id))
    wanted = Register(email="e@mail.example", first_name="E", last_name="V", password="x", sender="")
    with pytest.raises(ServiceError) as refused:
        await bus.call(REGISTER, wanted)

    assert not policy.may_register
    assert (refused.value.kind, refused.value.id) == (Kind.UNAVAILABLE, "USER-064")


async def test_fifth_email_to_an_address_is_delayed(users_world: Any) -> None:
    """Emails to one address are rate-limited, and the delay reveals nothing about an account (LG-01)."""
    await users_world.home(humans=[users_world.human()])
    for mail in (users_world.mail("alice"), users_world.mail("eve")):
        for _ in range(5):
            await users_world.register(mail)
        with pytest.raises(ServiceError) as refused:
            await users_world.register(mail.upper())

        assert (refused.value.kind, refused.value.id, refused.value.retry_after) == (
            Kind.TOO_MANY_REQUESTS,
            "USER-062",
            60,
        )
        assert len(await users_world.mails_to(mail)) == 5


async def test_emails_per_client_are_limited(users_world: Any) -> None:
    """After a hundred emails a client waits, first seconds and at most a minute; other and unknown clients are
    not affected.
    """
    await users_world.home()
    sender, other = f"203.0.113.7 {users_world.tag}", f"203.0.113.8 {users_world.tag}"
    counted = {"_id": of_sender(sender), "failures": 100, "notBefore": 0.0}
    await users_world.parts.mongo.database["attempts"].insert_one(counted)
    await users_world.register(users_world.mail("e1"), sender=sender)
    link = SendPasswordLink(login_name=users_world.mail("e1"), sender=sender)
    with pytest.raises(ServiceError, match="USER-066") as refused:
        await users_world.register(users_world.mail("e2"), sender=sender)
    with pytest.raises(ServiceError, match="USER-066"):
        await users_world.call(SEND_PASSWORD_LINK, link)
    await users_world.register(users_world.mail("e3"), sender=other)
    await users_world.register(users_world.mail("e4"))
    users_world.clock.tick(5)
    await users_world.call(SEND_PASSWORD_LINK, link)

    assert (refused.value.kind, refused.value.retry_after) == (Kind.TOO_MANY_REQUESTS, 5)
    assert await users_world.mails_to(users_world.mail("e2")) == []


@pytest.mark.parametrize("change", [{"state": "inactive"}, {"loginRules.mayRegister": False}])
async def test_closed_organization_gets_no_user(users_world: Any, change: dict[str, Any]) -> None:
    """The right code creates nothing at an organization that is inactive or closed since, and is used up."""
    await users_world.home()
    mail = users_world.mail()
    sent = await users_world.register(mail)
    await users_world.parts.mongo.database["orgs"].update_one({"_id": users_world.org_id}, {"$set": change})

    assert await users_world.verify(sent.challenge, await users_world.newest_code(mail)) is None
    assert await users_world.rows("challenges", _id=fingerprint(sent.challenge)) == []


async def test_registration_secrets_are_not_stored(users_world: Any) -> None:
    """Code, challenge and password are not readable in the database, and addresses not in the queue (LG-07)."""
    await users_world.home()
    mail = users_world.mail()
    sent = await users_world.register(mail)
    stored = str(await users_world.rows("challenges")) + str(queued := await users_world.rows("mails"))
    code = await users_world.newest_code(mail)

    assert sent.challenge not in stored
    assert code not in stored
    assert users_world.password not in stored
    assert mail not in str(queued)
    assert " Eve" not in str((await users_world.mails_to(mail))[0])


async def test_taken_name_is_reported_only_after_the_code(users_world: Any) -> None:
    """The error of a taken user name requires the right code; a wrong code reveals nothing (P9)."""
    await users_world.home()
    mail = users_world.mail()
    slow = await users_world.register(mail)
    slow_code = await users_world.newest_code(mail)
    quick = await users_world.register(mail)
    await users_world.mails_to(mail)
    winner = await users_world.verify(quick.challenge, await users_world.newest_code(mail))
    wrong = await users_world.verify(slow.challenge, "AAAAAA")
    with pytest.raises(ServiceError) as refused:
        await users_world.verify(slow.challenge, slow_code)
    again = await users_world.verify(slow.challenge, slow_code)

    assert winner is not None
    assert wrong is None
    assert (refused.value.id, refused.value.text) == ("USER-011", "This name is already in use.")
    assert again is None
    assert len(await users_world.rows("users", verifiedMailKey=mail)) == 1


async def test_address_is_verified_when_the_code_is_entered(users_world: Any) -> None:
    """The proof is stored with its kind and the time of the code."""
    await users_world.home()
    mail = users_world.mail()
    sent = await users_world.register(mail)
    users_world.clock.tick(60)
    user = await users_world.verify(sent.challenge, await users_world.newest_code(mail))
    [row] = await users_world.rows("users", _id=user.user_id)

    assert row["emailProof"] == {"kind": "proven", "at": users_world.clock.now()}
