"""No password is sent to an address its owner has just set: a stolen token must not become the account (LG-24)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from portico_contracts.users import SEND_PASSWORD_LINK, SendPasswordLink
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.credentials.attempts.attempts import of_sender

from .account_owner import Owner

pytestmark = pytest.mark.servers

DAY: Final = 86_400


class Thief(Owner):
    """The bearer of a token of an account: its owner, or a thief."""

    async def take(self, mail: str = "") -> None:
        """Sets the address, and proves it."""
        await self.set_mail(mail)
        code = await self.world.newest_code(mail or self.new_mail)
        await self.call("VerifyEmail", "/email/verify", verificationCode=code)

    async def reset(self, *, by: str = "lee", **medium: Any) -> ApiResponse:
        """Requests a code for a new password."""
        return await self.try_to("PasswordReset", "/password_reset", by=by, **medium)

    async def forgotten(self) -> int:
        """Requests a link for a forgotten password; the number of emails to the new address that made."""
        before = len(await self.world.mails_to(self.new_mail))
        await self.world.call(SEND_PASSWORD_LINK, SendPasswordLink(login_name=self.id))
        await self.world.service.messages.links.close()
        return len(await self.world.mails_to(self.new_mail)) - before


@pytest.fixture
async def lee(managed: Any) -> Thief:
    """With an account that has a password and a proven address."""
    thief = Thief(managed)
    await thief.add()
    return thief


async def test_no_password_is_emailed_to_an_address_just_set(lee: Thief) -> None:
    """By whichever way, for a day; who only names an account is answered as ever (LG-01)."""
    await lee.take()
    mailed = await lee.forgotten()
    asked = [await lee.reset(), await lee.reset(by="owner", sendLink={})]
    lee.world.clock.tick(DAY - 1)
    asked.append(await lee.reset())
    lee.world.clock.tick(1)

    assert mailed == 0
    assert [(one.code, one.error_code) for one in asked] == [(9, "USER-900")] * 3
    assert await lee.forgotten() == 1
    assert (await lee.reset()).code == 0


async def test_a_first_password_waits_as_well(managed: Any) -> None:
    """Who signs in by other means has an account to lose, too."""
    lee = Thief(managed)
    await lee.add(password=None)
    await lee.take()

    assert await lee.forgotten() == 0
    assert (await lee.reset()).error_code == "USER-900"


async def test_setting_the_same_address_again_changes_nothing_of_that(lee: Thief) -> None:
    """Neither ends it the wait nor does it begin another."""
    await lee.take()
    lee.world.clock.tick(DAY / 2)
    await lee.set_mail()
    within = (await lee.reset()).error_code
    lee.world.clock.tick(DAY / 2)

    assert within == "USER-900"
    assert (await lee.reset()).code == 0


async def test_the_own_address_of_an_administrator_waits_as_well(lee: Thief) -> None:
    """Whatever they may do to others: the token may be stolen."""
    of = "portico.management.v1.MemberService.AddOrgMember"
    member = {"userId": lee.id, "roles": ["ORG_OWNER"]}
    assert (await call_as(lee.managed, of, member)).code == 0
    await lee.set_mail(isVerified=True)

    assert (await lee.reset()).error_code == "USER-900"


async def test_emails_that_a_user_sends_to_own_choices_are_limited(lee: Thief) -> None:
    """After a hundred, whatever their addresses, an account waits; a manager is not limited by that."""
    now = lee.world.clock.now()
    counted = {"_id": of_sender(lee.id), "failures": 101, "notBefore": now + 60, "ticket": ""}
    await lee.world.parts.mongo.database["attempts"].insert_one(counted)
    refused = await lee.try_to("SetEmail", "/email", email=lee.new_mail)
    by_manager = await lee.try_to("SetEmail", "/email", by="owner", email=lee.new_mail)

    assert (refused.error_code, by_manager.code) == ("USER-066", 0)


async def test_who_writes_users_decides_otherwise(lee: Thief) -> None:
    """An address they set is written to at once, also one that waits; and a code may be returned to them."""
    await lee.take()
    returned = await lee.reset(by="owner", returnCode={})
    await lee.set_mail(by="owner", isVerified=True)
    mailed = await lee.forgotten()

    assert returned.body["verificationCode"]
    assert mailed == 1
    assert (await lee.reset()).code == 0


async def test_an_address_the_operator_declares_is_written_to_at_once(lee: Thief) -> None:
    """The document decides, also for the address that waits."""
    await lee.take()
    human = {
        "id": lee.id,
        "username": lee.id,
        "profile": {"firstName": "Lee", "lastName": "Byron"},
        "email": {"email": lee.new_mail, "isVerified": True},
    }
    await lee.world.apply({"id": lee.managed.org_id, "name": lee.managed.org_id, "humans": [human]})

    assert await lee.forgotten() == 1
