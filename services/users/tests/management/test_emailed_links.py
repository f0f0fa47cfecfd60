from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from portico_contracts.http import SET_PASSWORD_PAGE, VERIFY_EMAIL_PAGE
from portico_contracts.token import REVOKE_USER
from portico_contracts.users import (
    REGISTER,
    SEND_PASSWORD_LINK,
    SET_PASSWORD_BY_CODE,
    SET_PASSWORD_BY_LINK,
    VERIFY_EMAIL_LINK,
    Register,
    SendPasswordLink,
    SetPasswordByCode,
    SetPasswordByLink,
    VerifyEmailLink,
)
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import fingerprint
from portico_users.after_response import AfterResponse

pytestmark = pytest.mark.servers

OLD, NEW = "correct horse battery", "nine small sparrows"


class Linked:
    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.world = managed.users
        self.id = f"kim-{managed.tag}"
        self.mail = managed.users.mail("kim")

    async def add(self, *, verified: bool = True, **members: Any) -> None:
        email = {"email": self.mail, "isVerified": True} if verified else {"email": self.mail}
        body = self.managed.new_human("kim", username=self.id, email=email, **members)
        assert (await self.managed.add(body)).code == 0

    async def link(self) -> tuple[str, dict[str, str]]:
        message = (await self.world.mails_to(self.mail))[-1]
        text = message.get_body(("plain",)).get_content()
        [address] = [word for word in text.split() if word.startswith("http") and "code=" in word]
        parts = urlsplit(address)
        return parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}

    async def send(self, name: str = "") -> str:
        sent = await self.world.call(SEND_PASSWORD_LINK, SendPasswordLink(login_name=name or self.id, sender=""))
        await self.world.service.find(AfterResponse).close()
        return str(sent.challenge)

    async def enter(self, challenge: str, code: str, password: str = NEW) -> None:
        message = SetPasswordByCode(challenge=challenge, code=code, new_password=password)
        await self.world.call(SET_PASSWORD_BY_CODE, message)

    async def hide(self, hidden: bool, *, of: str) -> None:
        names = {"Org": "portico.management.v1", "Instance": "portico.admin.v1"}
        calls = ("AddCustomLoginPolicy", "UpdateCustomLoginPolicy") if of == "Org" else ("UpdateLoginPolicy",)
        body, token = {"hidePasswordReset": hidden}, self.managed.tokens["owner" if of == "Org" else "iam"]
        response = [
            await self.managed.api.json(f"{names[of]}.PolicyService.{call}", body, token=token) for call in calls
        ]
        assert not min(one.code for one in response), response

    async def set(self, code: str, password: str = NEW, user_id: str = "") -> str:
        message = SetPasswordByLink(user_id=user_id or self.id, code=code, new_password=password)
        return str((await self.world.call(SET_PASSWORD_BY_LINK, message)).start)

    async def signs_in(self, password: str) -> bool:
        return (await self.world.try_password(self.id, password)).user is not None


@pytest.fixture
async def kim(managed: Any) -> Linked:
    return Linked(managed)


async def test_default_link_opens_the_issuers_page(kim: Linked) -> None:
    """Without a template the link is to a page of the issuer (HH-01) with user and code, which verifies the
    address once (HH-08).
    """
    await kim.add(verified=False)
    path, link = await kim.link()
    verified = await kim.world.call(VERIFY_EMAIL_LINK, VerifyEmailLink(user_id=link["userID"], code=link["code"]))
    response = (await kim.managed.get(kim.id)).body["user"]["human"]["email"]

    assert path == VERIFY_EMAIL_PAGE
    assert link["orgID"] == kim.managed.org_id
    assert not verified.has_password
    assert response["isVerified"]
    with pytest.raises(ServiceError, match="USER-402"):
        await kim.world.call(VERIFY_EMAIL_LINK, VerifyEmailLink(user_id=kim.id, code=link["code"]))


async def test_password_reset_by_link(kim: Linked) -> None:
    """The old password becomes invalid, and all grants are revoked (IR-14)."""
    await kim.add(password={"password": OLD})
    await kim.send()
    path, link = await kim.link()
    assert link["loginName"].startswith("kim")
    await kim.set(link["code"])

    assert path == SET_PASSWORD_PAGE
    assert not await kim.signs_in(OLD)
    assert await kim.signs_in(NEW)
    assert kim.managed.api.ended == [("sessions", kim.id), ("grants", kim.id)]
    with pytest.raises(ServiceError, match="USER-402"):
        await kim.set(link["code"])


async def test_password_reset_by_code(kim: Linked) -> None:
    """The code of the link also works where it was requested, once, and revokes all grants (IR-14)."""
    await kim.add(password={"password": OLD})
    challenge = await kim.send()
    _, link = await kim.link()
    with pytest.raises(ServiceError, match="USER-030"):
        await kim.enter(challenge, link["code"], "short")
    await kim.enter(challenge, link["code"].lower())

    assert not await kim.signs_in(OLD)
    assert await kim.signs_in(NEW)
    assert kim.managed.api.ended == [("sessions", kim.id), ("grants", kim.id)]
    with pytest.raises(ServiceError, match="USER-402"):
        await kim.enter(challenge, link["code"])
    with pytest.raises(ServiceError, match="USER-402"):
        await kim.set(link["code"])


@pytest.mark.parametrize("who", ["known", "unknown"])
async def test_guesses_are_counted_for_unknown_names_too(kim: Linked, who: str) -> None:
    """Known or unknown, a name gets a challenge with 10 guesses, the same response and the same row (LG-01, LG-07)."""
    await kim.add(password={"password": OLD})
    challenge = await kim.send(f"nobody-{kim.managed.tag}" if who == "unknown" else "")
    code = (await kim.link())[1]["code"] if who == "known" else "K7Q2ZX"
    for _ in range(10):
        with pytest.raises(ServiceError, match="USER-402"):
            await kim.enter(challenge, "222222", "short")
    with pytest.raises(ServiceError, match="USER-402"):
        await kim.enter(challenge, code)
    row = await kim.world.parts.mongo.database["challenges"].find_one({"_id": fingerprint(challenge)})

    assert row["guesses"] == 10
    assert not await kim.signs_in(NEW)


async def test_registration_code_cannot_set_a_password(kim: Linked) -> None:
    """The code of a registration verifies only the address (LG-10)."""
    mail = kim.world.mail("eve")
    register = Register(
        email=mail, first_name="Eve", last_name="Example", password=OLD, org_id=kim.managed.org_id, sender=""
    )
    challenge = (await kim.world.call(REGISTER, register)).challenge
    text = (await kim.world.mails_to(mail))[-1]["Subject"]

    with pytest.raises(ServiceError, match="USER-402"):
        await kim.enter(challenge, str(text).split()[0])


async def test_reset_code_is_invalid_after_an_address_change(kim: Linked) -> None:
    """A code in the former mailbox cannot set a password (HH-08)."""
    await kim.add(password={"password": OLD})
    challenge = await kim.send()
    _, link = await kim.link()
    other = {"$set": {"email": f"new-{kim.mail}"}}
    await kim.world.parts.mongo.database["users"].update_one({"_id": kim.id}, other)

    with pytest.raises(ServiceError, match="USER-402"):
        await kim.enter(challenge, link["code"])


async def test_new_user_sets_a_password_by_two_emails(kim: Linked) -> None:
    """A user without a password first verifies the address by a link, and then sets a password by another."""
    await kim.add(verified=False)
    _, link = await kim.link()
    await kim.world.call(VERIFY_EMAIL_LINK, VerifyEmailLink(user_id=kim.id, code=link["code"]))
    await kim.send(kim.mail)
    _, link = await kim.link()
    await kim.set(link["code"])

    assert await kim.signs_in(NEW)


@pytest.mark.parametrize("who", ["unknown", "unproven", "locked", "robot"])
async def test_reset_response_reveals_nothing(kim: Linked, who: str) -> None:
    """Unknown users, unverified addresses and inactive users get the same response and no email (LG-01)."""
    if who in ("unproven", "locked"):
        await kim.add(verified=who == "locked", password={"password": OLD})
    if who == "locked":
        await kim.world.parts.mongo.database["users"].update_one({"_id": kim.id}, {"$set": {"state": "locked"}})
    before = len(await kim.world.mails_to(kim.mail))
    await kim.send(f"robot-{kim.managed.tag}" if who == "robot" else kim.id)

    assert len(await kim.world.mails_to(kim.mail)) == before


@pytest.mark.parametrize("of", ["Org", "Instance"])
async def test_hidden_password_reset_sends_no_email(kim: Linked, of: str) -> None:
    """The response stays the same (LG-01); users without a password still get a link; the setting can be reverted."""
    await kim.add(password={"password": OLD})
    await kim.hide(True, of=of)
    await kim.send()
    hidden = len(await kim.world.mails_to(kim.mail))
    await kim.world.parts.mongo.database["users"].update_one({"_id": kim.id}, {"$set": {"hasPassword": False}})
    await kim.send()
    first = len(await kim.world.mails_to(kim.mail))
    await kim.world.parts.mongo.database["users"].update_one({"_id": kim.id}, {"$set": {"hasPassword": True}})
    await kim.hide(False, of=of)
    await kim.send()

    assert (hidden, first) == (0, 1)
    assert len(await kim.world.mails_to(kim.mail)) == 2


@pytest.mark.parametrize("known", [True, False])
async def test_reset_requests_are_limited_for_every_name(kim: Linked, known: bool) -> None:
    """The limit protects mailboxes and reveals nothing about the name (LG-01)."""
    if known:
        await kim.add(password={"password": OLD})
    for _ in range(5):
        await kim.send()

    with pytest.raises(ServiceError, match="USER-062") as refused:
        await kim.send()
    assert refused.value.kind is Kind.TOO_MANY_REQUESTS
    assert refused.value.retry_after == 60


@pytest.mark.parametrize("user_id", ["nobody-at-all", "x" * 300, "\x00"])
async def test_link_of_unknown_user_is_refused_as_wrong(kim: Linked, user_id: str) -> None:
    """The response does not reveal whether a user id exists."""
    with pytest.raises(ServiceError, match="USER-402"):
        await kim.set("AAAAAA", user_id=user_id)
    with pytest.raises(ServiceError, match="USER-402"):
        await kim.world.call(VERIFY_EMAIL_LINK, VerifyEmailLink(user_id=user_id, code="AAAAAA"))


async def test_wrong_code_is_counted_before_the_policy(kim: Linked) -> None:
    """Ten guesses are allowed, and the password policy is checked only with the right code (LG-07)."""
    await kim.add(password={"password": OLD})
    await kim.send()
    _, link = await kim.link()
    for _ in range(9):
        with pytest.raises(ServiceError, match="USER-402"):
            await kim.set("AAAAAA", password="password1")
    with pytest.raises(ServiceError, match="USER-035"):
        await kim.set(link["code"], password="password1")
    with pytest.raises(ServiceError, match="USER-402"):
        await kim.set(link["code"])

    assert await kim.signs_in(OLD)


async def test_verification_code_cannot_set_a_password(kim: Linked) -> None:
    """A code that verifies an address cannot set a password."""
    await kim.add(verified=False, password={"password": OLD})
    _, link = await kim.link()

    with pytest.raises(ServiceError, match="USER-402"):
        await kim.set(link["code"])
    assert not await kim.signs_in(NEW)


@pytest.mark.parametrize("way", ["link", "code"])
async def test_repeated_reset_succeeds_after_503(kim: Linked, way: str) -> None:
    """If the password was set but the revocation failed, repeating the request completes it (IR-14)."""
    await kim.add(password={"password": OLD})
    challenge = await kim.send()
    _, link = await kim.link()

    async def submit(password: str = NEW) -> None:
        await (kim.set(link["code"], password) if way == "link" else kim.enter(challenge, link["code"], password))

    kim.world.bus.silent.add(REVOKE_USER.subject)
    with pytest.raises(ServiceError) as refused:
        await submit()
    kim.world.bus.silent.clear()
    with pytest.raises(ServiceError, match="USER-402"):
        await submit("nine other sparrows")
    await submit()

    assert refused.value.kind is Kind.UNAVAILABLE
    assert ("grants", kim.id) in kim.managed.api.ended
    assert await kim.signs_in(NEW)
    with pytest.raises(ServiceError, match="USER-402"):
        await submit()


async def test_repeated_reset_counts_password_attempts(kim: Linked) -> None:
    """Until the revocation is complete, a repeated request needs the new password, and each attempt is counted
    (LG-05).
    """
    await kim.add(password={"password": OLD})
    await kim.send()
    _, link = await kim.link()
    kim.world.bus.silent.add(REVOKE_USER.subject)
    with pytest.raises(ServiceError):
        await kim.set(link["code"])
    response: list[Kind] = []
    for number in range(12):
        with pytest.raises(ServiceError) as refused:
            await kim.set(link["code"], password=f"a guess, the {number}th of many")
        response.append(refused.value.kind)

    assert response[0] is Kind.INVALID_REQUEST
    assert response[-1] is Kind.TOO_MANY_REQUESTS
