"""What links in emails lead to: pages of the issuer where no template names another one."""

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

pytestmark = pytest.mark.servers

OLD, NEW = "correct horse battery", "nine small sparrows"


class Linked:
    """A user with a mailbox."""

    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.world = managed.users
        self.id = f"kim-{managed.tag}"
        self.mail = managed.users.mail("kim")

    async def add(self, *, verified: bool = True, **members: Any) -> None:
        """Makes the user."""
        email = {"email": self.mail, "isVerified": True} if verified else {"email": self.mail}
        body = self.managed.new_human("kim", username=self.id, email=email, **members)
        assert (await self.managed.add(body)).code == 0

    async def link(self) -> tuple[str, dict[str, str]]:
        """The path and the parameters of the link in the last email."""
        message = (await self.world.mails_to(self.mail))[-1]
        text = message.get_body(("plain",)).get_content()
        [address] = [word for word in text.split() if word.startswith("http") and "code=" in word]
        parts = urlsplit(address)
        return parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}

    async def send(self, name: str = "") -> str:
        """Requests the link that sets a password, and waits until it is written; the name of the challenge."""
        sent = await self.world.call(SEND_PASSWORD_LINK, SendPasswordLink(login_name=name or self.id))
        await self.world.service.messages.links.close()
        return str(sent.challenge)

    async def enter(self, challenge: str, code: str, password: str = NEW) -> None:
        """Sets a password by the code, where it was requested."""
        message = SetPasswordByCode(challenge=challenge, code=code, new_password=password)
        await self.world.call(SET_PASSWORD_BY_CODE, message)

    async def hide(self, hidden: bool, *, of: str) -> None:
        """Has the organization, or the instance, offer no other password to who forgot theirs."""
        names = {"Org": "portico.management.v1", "Instance": "portico.admin.v1"}
        calls = ("AddCustomLoginPolicy", "UpdateCustomLoginPolicy") if of == "Org" else ("UpdateLoginPolicy",)
        body, token = {"hidePasswordReset": hidden}, self.managed.tokens["owner" if of == "Org" else "iam"]
        response = [
            await self.managed.api.json(f"{names[of]}.PolicyService.{call}", body, token=token) for call in calls
        ]
        assert not min(one.code for one in response), response

    async def set(self, code: str, password: str = NEW, user_id: str = "") -> None:
        """Sets a password."""
        message = SetPasswordByLink(user_id=user_id or self.id, code=code, new_password=password)
        await self.world.call(SET_PASSWORD_BY_LINK, message)

    async def signs_in(self, password: str) -> bool:
        """It is the password."""
        return (await self.world.try_password(self.id, password)).user is not None


@pytest.fixture
async def kim(managed: Any) -> Linked:
    """A user who is not created yet."""
    return Linked(managed)


async def test_an_email_without_a_template_leads_to_our_page(kim: Linked) -> None:
    """Of the issuer (HH-01), with whose it is and the code; entered there it proves the address, once (HH-08)."""
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


async def test_a_forgotten_password_is_set_by_the_link(kim: Linked) -> None:
    """The old one is worth nothing, and everything given for it ends (IR-14)."""
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


async def test_a_forgotten_password_is_set_by_the_code(kim: Linked) -> None:
    """Where it was requested, without the link: it is the same code, valid once, and revokes what was granted (IR-14)."""
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
async def test_guesses_at_the_code_are_counted_for_every_name(kim: Linked, who: str) -> None:
    """Known or not, a name gets a challenge of 10 guesses, with the same answer and the same row (LG-01, LG-07)."""
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


async def test_a_code_of_another_purpose_sets_no_password(kim: Linked) -> None:
    """The code of a registration names a challenge too: it proves an address, and nothing else (LG-10)."""
    mail = kim.world.mail("eve")
    register = Register(email=mail, first_name="Eve", last_name="Example", password=OLD, org_id=kim.managed.org_id)
    challenge = (await kim.world.call(REGISTER, register)).challenge
    text = (await kim.world.mails_to(mail))[-1]["Subject"]

    with pytest.raises(ServiceError, match="USER-402"):
        await kim.enter(challenge, str(text).split()[0])


async def test_a_code_dies_with_the_address_it_went_to(kim: Linked) -> None:
    """An address that changed meanwhile: the code in the former mailbox sets no password (HH-08)."""
    await kim.add(password={"password": OLD})
    challenge = await kim.send()
    _, link = await kim.link()
    other = {"$set": {"email": f"new-{kim.mail}"}}
    await kim.world.parts.mongo.database["users"].update_one({"_id": kim.id}, other)

    with pytest.raises(ServiceError, match="USER-402"):
        await kim.enter(challenge, link["code"])


async def test_a_new_user_gets_a_password_by_two_emails(kim: Linked) -> None:
    """A user created without one: the link that verifies the address, then the one that sets a password."""
    await kim.add(verified=False)
    _, link = await kim.link()
    await kim.world.call(VERIFY_EMAIL_LINK, VerifyEmailLink(user_id=kim.id, code=link["code"]))
    await kim.send(kim.mail)
    _, link = await kim.link()
    await kim.set(link["code"])

    assert await kim.signs_in(NEW)


@pytest.mark.parametrize("who", ["unknown", "unproven", "locked", "robot"])
async def test_the_response_discloses_nothing(kim: Linked, who: str) -> None:
    """No user, an unverified address beside a password, a user who may not act: the same answer, no email (LG-01)."""
    if who in ("unproven", "locked"):
        await kim.add(verified=who == "locked", password={"password": OLD})
    if who == "locked":
        await kim.world.parts.mongo.database["users"].update_one({"_id": kim.id}, {"$set": {"state": "locked"}})
    before = len(await kim.world.mails_to(kim.mail))
    await kim.send(f"robot-{kim.managed.tag}" if who == "robot" else kim.id)

    assert len(await kim.world.mails_to(kim.mail)) == before


@pytest.mark.parametrize("of", ["Org", "Instance"])
async def test_an_organization_that_hides_it_emails_no_link(kim: Linked, of: str) -> None:
    """The answer is the same as ever (LG-01); who has no password yet still gets the first one; and it can be shown."""
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
async def test_too_many_are_refused_for_every_name(kim: Linked, known: bool) -> None:
    """No mailbox is flooded, and the refusal reveals nothing either (LG-01)."""
    if known:
        await kim.add(password={"password": OLD})
    for _ in range(5):
        await kim.send()

    with pytest.raises(ServiceError, match="USER-062") as refused:
        await kim.send()
    assert refused.value.kind is Kind.TOO_MANY_REQUESTS
    assert refused.value.retry_after == 60


@pytest.mark.parametrize("user_id", ["nobody-at-all", "x" * 300, "\x00"])
async def test_a_link_of_an_unknown_user_is_like_a_wrong_one(kim: Linked, user_id: str) -> None:
    """Whether an id belongs to a user cannot be tried out."""
    with pytest.raises(ServiceError, match="USER-402"):
        await kim.set("AAAAAA", user_id=user_id)
    with pytest.raises(ServiceError, match="USER-402"):
        await kim.world.call(VERIFY_EMAIL_LINK, VerifyEmailLink(user_id=user_id, code="AAAAAA"))


async def test_a_wrong_code_discloses_nothing_of_the_password_and_is_counted(kim: Linked) -> None:
    """Ten guesses; the rules for passwords are shown only to who has the code (LG-07)."""
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


async def test_a_code_is_for_what_it_was_emailed_for(kim: Linked) -> None:
    """The one that proves an address sets no password."""
    await kim.add(verified=False, password={"password": OLD})
    _, link = await kim.link()

    with pytest.raises(ServiceError, match="USER-402"):
        await kim.set(link["code"])
    assert not await kim.signs_in(NEW)


@pytest.mark.parametrize("way", ["link", "code"])
async def test_the_same_form_again_succeeds_after_503(kim: Linked, way: str) -> None:
    """The password was set and its grants lived on: sent again, by the link or by the code, the form ends them (IR-14)."""
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


async def test_the_new_password_cannot_be_tried_out_after_503(kim: Linked) -> None:
    """As long as the grants of the old one live on, a used code is taken with the password: each try counts (LG-05)."""
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
