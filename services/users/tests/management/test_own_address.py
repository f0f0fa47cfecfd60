"""Users' own new addresses stay pending until the code is entered in the session that requested it."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import (
    FIND_USER,
    SEND_PASSWORD_LINK,
    VERIFY_EMAIL_LINK,
    FindUser,
    SendPasswordLink,
    VerifyEmailLink,
)
from portico_oauth.errors import ServiceError
from portico_users.after_response import AfterResponse

from .account_owner import Owner

pytestmark = pytest.mark.servers


class Mover(Owner):
    async def move(self, mail: str = "") -> str:
        await self.set_mail(mail)
        return str(await self.world.newest_code(mail or self.new_mail))

    async def enter(self, code: str, *, by: str = "lee") -> str:
        return (await self.try_to("VerifyEmail", "/email/verify", by=by, verificationCode=code)).error_code

    async def email(self) -> dict[str, Any]:
        found: dict[str, Any] = (await self.managed.get(self.id)).body["user"]["human"]["email"]
        return found

    async def found_by(self, name: str) -> bool:
        return (await self.world.call(FIND_USER, FindUser(login_name=name, org_id=""))).user is not None

    async def forgotten(self, name: str, mail: str) -> int:
        before = len(await self.world.mails_to(mail))
        await self.world.call(SEND_PASSWORD_LINK, SendPasswordLink(login_name=name, sender=""))
        await self.world.service.find(AfterResponse).close()
        return len(await self.world.mails_to(mail)) - before

    def in_session(self, token: str, session_id: str) -> None:
        self.managed.tokens[token] = self.managed.api.token_of(self.id)
        self.managed.api.signed_in[self.managed.tokens[token]] = ("another", int(self.world.clock.now()))
        self.managed.api.sessions[self.managed.tokens[token]] = session_id


@pytest.fixture
async def lee(managed: Any) -> Mover:
    lee = Mover(managed)
    await lee.add()
    return lee


async def test_address_stays_until_the_new_one_is_verified(lee: Mover) -> None:
    """The verified address stays the login name and gets password codes, so that a typo has no consequence."""
    await lee.move(lee.world.mail("typo"))
    code = await lee.move()
    waiting = await lee.email()
    found = [await lee.found_by(mail) for mail in (lee.mail, lee.new_mail)]
    mailed = [await lee.forgotten(lee.mail, mail) for mail in (lee.mail, lee.new_mail)]
    proven = await lee.enter(code)

    assert waiting == {"email": lee.mail, "isVerified": True, "pendingEmail": lee.new_mail}
    assert (found, mailed, proven) == ([True, False], [1, 0], "")
    assert await lee.email() == {"email": lee.new_mail, "isVerified": True}
    assert [await lee.found_by(mail) for mail in (lee.mail, lee.new_mail)] == [False, True]
    assert await lee.changes() == [[f"The email address was changed. The new one is: {lee.new_mail[0]}***@m***"]]


async def test_code_works_only_in_the_requesting_session(lee: Mover) -> None:
    """A reader of the new mailbox has no session, and the email has no link; codes for another address become
    invalid.
    """
    lee.in_session("lee", "s-1")
    lee.in_session("other", "s-2")
    earlier = await lee.move(lee.world.mail("typo"))
    code = await lee.move()
    text = (await lee.world.mails_to(lee.new_mail))[-1].get_body(("plain",)).get_content()
    with pytest.raises(ServiceError) as by_link:
        await lee.world.call(VERIFY_EMAIL_LINK, VerifyEmailLink(user_id=lee.id, code=code))
    refused = [await lee.enter(code, by="other"), await lee.enter(code, by="owner"), await lee.enter(earlier)]

    assert "/ui/" not in text
    assert by_link.value.id == "USER-402"
    assert refused == ["USER-402"] * 3
    assert await lee.enter(code) == ""
    assert (await lee.email())["email"] == lee.new_mail


async def test_pending_address_can_be_cancelled(lee: Mover) -> None:
    """Entering the current address, an address set by an administrator, and a reset cancel it."""
    codes = [await lee.move()]
    await lee.set_mail(lee.mail)
    pending = [await lee.email()]
    await lee.call("AddOTPEmail", "/otp_email")
    codes.append(await lee.move())
    await lee.call("RemoveOTPEmail", "/otp_email", by="owner")
    pending.append(await lee.email())
    codes.append(await lee.move())
    await lee.set_mail(lee.mail, by="owner", isVerified=True)
    pending.append(await lee.email())

    assert pending == [{"email": lee.mail, "isVerified": True}] * 3
    assert [await lee.enter(code) for code in codes] == ["USER-402"] * 3


async def test_code_for_the_pending_address_is_resent(lee: Mover) -> None:
    """Only the owner can request another code, also after the first one has expired."""
    await lee.move()
    lee.world.clock.tick(3_601)
    of_others = await lee.try_to("ResendEmailCode", "/email/resend", by="owner")
    await lee.call("ResendEmailCode", "/email/resend")

    assert of_others.error_code == "USER-406"
    assert await lee.enter(await lee.world.newest_code(lee.new_mail)) == ""


async def test_new_address_is_pending_for_unverified_users_too(managed: Any) -> None:
    """Otherwise a link in the email would verify it for anyone who reads it."""
    lee = Mover(managed)
    await lee.add(verified=False)
    code = await lee.move()

    assert await lee.email() == {"email": lee.mail, "pendingEmail": lee.new_mail}
    assert await lee.enter(code) == ""
    assert await lee.email() == {"email": lee.new_mail, "isVerified": True}
