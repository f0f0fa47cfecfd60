"""No password codes to an address its owner has just set: a stolen token must not suffice for a takeover (LG-24)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from portico_contracts.users import SEND_PASSWORD_LINK, SendPasswordLink
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.after_response import AfterResponse
from portico_users.credentials.attempts.attempts import of_sender

from .account_owner import Owner

pytestmark = pytest.mark.servers

DAY: Final = 86_400


class Thief(Owner):
    """The holder of a token of an account: its owner or an attacker."""

    async def take(self, mail: str = "") -> None:
        await self.set_mail(mail)
        code = await self.world.newest_code(mail or self.new_mail)
        await self.call("VerifyEmail", "/email/verify", verificationCode=code)

    async def reset(self, *, by: str = "lee", **medium: Any) -> ApiResponse:
        return await self.try_to("PasswordReset", "/password_reset", by=by, **medium)

    async def forgotten(self) -> int:
        """Returns the number of emails sent to the new address."""
        before = len(await self.world.mails_to(self.new_mail))
        await self.world.call(SEND_PASSWORD_LINK, SendPasswordLink(login_name=self.id, sender=""))
        await self.world.service.find(AfterResponse).close()
        return len(await self.world.mails_to(self.new_mail)) - before


@pytest.fixture
async def lee(managed: Any) -> Thief:
    thief = Thief(managed)
    await thief.add()
    return thief


async def test_new_address_gets_no_password_code_for_a_day(lee: Thief) -> None:
    """No operation sends a password code for a day; reset requests get the usual response (LG-01)."""
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


async def test_first_password_is_delayed_too(managed: Any) -> None:
    """Accounts without a password, which sign in by other means, are protected as well."""
    lee = Thief(managed)
    await lee.add(password=None)
    await lee.take()

    assert await lee.forgotten() == 0
    assert (await lee.reset()).error_code == "USER-900"


async def test_setting_the_same_address_keeps_the_delay(lee: Thief) -> None:
    """Setting the same address again neither ends nor restarts the delay."""
    await lee.take()
    lee.world.clock.tick(DAY / 2)
    await lee.set_mail()
    within = (await lee.reset()).error_code
    lee.world.clock.tick(DAY / 2)

    assert within == "USER-900"
    assert (await lee.reset()).code == 0


async def test_delay_applies_to_administrators_too(lee: Thief) -> None:
    """Administrators' own new addresses are delayed as well, because the token may be stolen."""
    of = "portico.management.v1.MemberService.AddOrgMember"
    member = {"userId": lee.id, "roles": ["ORG_OWNER"]}
    assert (await call_as(lee.managed, of, member)).code == 0
    await lee.set_mail(isVerified=True)

    assert (await lee.reset()).error_code == "USER-900"


async def test_emails_to_chosen_addresses_are_limited(lee: Thief) -> None:
    """After a hundred emails to any addresses an account is delayed; managers of users are not."""
    now = lee.world.clock.now()
    counted = {"_id": of_sender(lee.id), "failures": 101, "notBefore": now + 60, "ticket": ""}
    await lee.world.parts.mongo.database["attempts"].insert_one(counted)
    refused = await lee.try_to("SetEmail", "/email", email=lee.new_mail)
    by_manager = await lee.try_to("SetEmail", "/email", by="owner", email=lee.new_mail)

    assert (refused.error_code, by_manager.code) == ("USER-066", 0)


async def test_managers_of_users_are_not_delayed(lee: Thief) -> None:
    """Addresses set by managers of users get emails at once, and managers may have codes returned."""
    await lee.take()
    returned = await lee.reset(by="owner", returnCode={})
    await lee.set_mail(by="owner", isVerified=True)
    mailed = await lee.forgotten()

    assert returned.body["verificationCode"]
    assert mailed == 1
    assert (await lee.reset()).code == 0


async def test_declared_address_is_not_delayed(lee: Thief) -> None:
    """A document ends the delay of an address it declares."""
    await lee.take()
    human = {
        "id": lee.id,
        "username": lee.id,
        "profile": {"firstName": "Lee", "lastName": "Byron"},
        "email": {"email": lee.new_mail, "isVerified": True},
    }
    await lee.world.apply({"id": lee.managed.org_id, "name": lee.managed.org_id, "humans": [human]})

    assert await lee.forgotten() == 1
