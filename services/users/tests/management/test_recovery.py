"""The link in a notice ends all sessions, and a code to the address of the notice sets a new password (LG-24)."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Final

import pytest
from portico_contracts.authz import END_SESSIONS
from portico_contracts.http import RECOVERY_PAGE
from portico_contracts.users import (
    BEGIN_RECOVERY,
    SET_PASSWORD_BY_CODE,
    BeginRecovery,
    RecoveryBegun,
    SetPasswordByCode,
)
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import fingerprint
from portico_users.credentials.revocations import Revocations

from .account_owner import NEW, OLD, Owner

pytestmark = pytest.mark.servers

THIRD: Final = "seven quiet herons"
DAY: Final = 86_400
NOTHING: Final[list[tuple[str, str]]] = []


class Robbed(Owner):
    """The owner of an account whose credentials a thief changes, with a token of theirs."""

    async def codes(self, mail: str = "") -> list[str]:
        """The codes of the links in the notices to an address."""
        texts = await self.notices(mail)
        return [code for text in texts for code in re.findall(rf"{RECOVERY_PAGE}\?code=([^&\s]+)", text)]

    async def begin(self, code: str) -> RecoveryBegun:
        """Presses the button of the page the link leads to."""
        begun: RecoveryBegun = await self.world.call(BEGIN_RECOVERY, BeginRecovery(code=code, languages=("en",)))
        return begun

    async def sent_code(self, mail: str = "") -> str:
        """The code for a new password in the last email to an address that has one: notices of the same time have no order."""
        texts = [one.get_body(("plain",)).get_content() for one in await self.world.mails_to(mail or self.mail)]
        found = [code for text in texts for code in re.findall(r"^    ([A-Z2-9]{6})$", text, re.MULTILINE)]
        return str(found[-1])

    async def enter(self, begun: RecoveryBegun, code: str, password: str = THIRD) -> None:
        """Sets a password by the code."""
        message = SetPasswordByCode(challenge=begun.challenge, code=code, new_password=password)
        await self.world.call(SET_PASSWORD_BY_CODE, message)

    async def change_password(self) -> None:
        """What the thief does first."""
        await self.call("SetPassword", "/password", newPassword={"password": NEW}, currentPassword=OLD)
        self.managed.api.ended.clear()

    async def take(self) -> None:
        """Sets the thief's address, and proves it."""
        await self.set_mail()
        code = await self.world.newest_code(self.new_mail)
        await self.call("VerifyEmail", "/email/verify", verificationCode=code)

    async def link_identity(self, name: str) -> None:
        """Links an identity of another provider."""
        link = {"idpId": await self.add_provider(name), "userId": name, "userName": name}
        await self.call("AddIDPLink", "/links", by="owner", idpLink=link)

    async def address(self) -> tuple[str, bool]:
        """The address of the account, and whether it is verified."""
        email = (await self.managed.get(self.id)).body["user"]["human"]["email"]
        return email["email"], email.get("isVerified", False)

    async def opens(self, password: str) -> bool:
        """It is the password."""
        return (await self.world.try_password(self.id, password)).user is not None


@pytest.fixture
async def lee(managed: Any) -> Robbed:
    """With an account that has a password and a proven address."""
    robbed = Robbed(managed)
    await robbed.add()
    return robbed


async def test_the_link_of_a_notice_recovers_the_account(lee: Robbed) -> None:
    """It ends all sessions and grants at once, then the code sets a password; link and code are valid once."""
    await lee.change_password()
    [link] = await lee.codes()
    begun = await lee.begin(link)
    ended = list(lee.managed.api.ended)
    code = await lee.sent_code()
    with pytest.raises(ServiceError, match="USER-030"):
        await lee.enter(begun, code, "short")
    await lee.enter(begun, code.lower())

    assert ended == [("sessions", lee.id), ("grants", lee.id)]
    assert (await lee.opens(NEW), await lee.opens(THIRD)) == (False, True)
    for again in (lee.begin(link), lee.enter(begun, code, OLD)):
        with pytest.raises(ServiceError, match=r"USER-684|USER-402"):
            await again


async def test_the_code_goes_to_the_address_of_the_notice(lee: Robbed) -> None:
    """Also where the thief has set and proven another one, which then is the account's no more (ADR 0020)."""
    await lee.take()
    [link] = await lee.codes()
    begun = await lee.begin(link)
    await lee.enter(begun, await lee.sent_code())

    assert await lee.address() == (lee.mail, True)
    assert await lee.opens(THIRD)
    assert await lee.codes(lee.new_mail) == []


async def test_a_recovery_makes_all_links_invalid(lee: Robbed) -> None:
    """Those of the notices to the thief's address, too: the former owner of the account has it back."""
    await lee.take()
    await lee.call("AddOTPEmail", "/otp_email")
    [own], [thief] = await lee.codes(), await lee.codes(lee.new_mail)
    await lee.enter(await lee.begin(own), await lee.sent_code())
    lee.world.clock.tick(DAY)
    lee.managed.api.ended.clear()

    with pytest.raises(ServiceError, match="USER-684"):
        await lee.begin(thief)
    assert lee.managed.api.ended == NOTHING


async def test_a_recovery_removes_the_passkeys_and_links_of_the_thief(lee: Robbed) -> None:
    """Those that came with the noticed change or after it; those of before, and second factors, stay."""
    own = [await lee.register_key(passkey=True), await lee.register_key(passkey=False)]
    await lee.link_identity("own")
    await lee.change_password()
    [link] = [
        code
        for text in await lee.notices()
        if "The password was changed." in text
        for code in re.findall(rf"{RECOVERY_PAGE}\?code=([^&\s]+)", text)
    ]
    factor = await lee.register_key(passkey=False)
    await lee.register_key(passkey=True)
    await lee.link_identity("thief")

    await lee.enter(await lee.begin(link), await lee.sent_code())

    [user] = await lee.world.rows("users", _id=lee.id)
    assert {key["id"] for key in user["securityKeys"]} == {*own, factor}
    assert [link["userName"] for link in user["idpLinks"]] == ["own"]
    assert {row["_id"] for row in await lee.world.rows("webauthnKeys", userId=lee.id)} == {*own, factor}


async def test_a_recovery_from_an_added_passkey_removes_it(lee: Robbed) -> None:
    """The notice of the passkey itself is the one that is denied."""
    await lee.register_key(passkey=True)
    [link] = await lee.codes()
    await lee.enter(await lee.begin(link), await lee.sent_code())

    [user] = await lee.world.rows("users", _id=lee.id)
    assert user["securityKeys"] == []


async def test_an_address_that_waits_gets_no_code(lee: Robbed) -> None:
    """The waiting day of an address (USER-900) holds for the links of its notices: sessions end, the link remains valid."""
    await lee.take()
    await lee.call("AddOTPEmail", "/otp_email")
    await lee.call("RemoveOTPEmail", "/otp_email")
    codes = await lee.codes(lee.new_mail)
    mails = len(await lee.world.mails_to(lee.new_mail))
    early = [await lee.begin(code) for code in codes]
    lee.world.clock.tick(DAY)
    late = await lee.begin(codes[0])

    assert [(one.challenge, one.waits) for one in early] == [("", True)] * 2
    assert lee.managed.api.ended[:2] == [("sessions", lee.id), ("grants", lee.id)]
    assert (bool(late.challenge), late.waits) == (True, False)
    assert len(await lee.world.mails_to(lee.new_mail)) == mails + 1


async def test_the_owner_does_not_wait_for_the_address_of_the_thief(lee: Robbed) -> None:
    """Notices go to the address that was proven before the change, also that of the address; their links work at once."""
    await lee.set_mail()
    await lee.change_password()
    [password] = await lee.codes()
    await lee.take()
    [address] = set(await lee.codes()) - {password}

    assert (await lee.begin(password)).challenge
    assert (await lee.begin(address)).challenge


async def test_an_address_that_an_administrator_replaced_recovers_nothing(lee: Robbed) -> None:
    """Links that were sent before become invalid, and the notice of the replacement has none."""
    await lee.change_password()
    [link] = await lee.codes()
    begun = await lee.begin(link)
    code = await lee.sent_code()
    await lee.call("AddOTPEmail", "/otp_email")
    other = (await lee.codes())[1]
    await lee.set_mail(by="owner", isVerified=True)

    assert len(await lee.notices()) == 3
    assert len(await lee.codes()) == 2
    with pytest.raises(ServiceError, match="USER-684"):
        await lee.begin(other)
    with pytest.raises(ServiceError, match="USER-402"):
        await lee.enter(begun, code)


async def test_links_expire_after_a_week(lee: Robbed) -> None:
    """To the second, and unknown codes are answered alike."""
    await lee.change_password()
    await lee.call("AddOTPEmail", "/otp_email")
    first, second = await lee.codes()
    lee.world.clock.tick(7 * DAY - 1)
    assert (await lee.begin(first)).challenge
    lee.world.clock.tick(1)

    for code in (second, "", "x", "x" * 200, "Ω", second[:-1]):
        with pytest.raises(ServiceError, match="USER-684"):
            await lee.begin(code)


async def test_a_link_is_used_once_by_many(lee: Robbed) -> None:
    """Of many presses at once one gets the code."""
    await lee.change_password()
    [link] = await lee.codes()
    outcomes = await asyncio.gather(*(lee.begin(link) for _ in range(12)), return_exceptions=True)
    begun = [one for one in outcomes if isinstance(one, RecoveryBegun)]

    assert len(begun) == 1
    assert {one.id for one in outcomes if isinstance(one, ServiceError)} == {"USER-684"}
    assert len(await lee.world.mails_to(lee.mail)) == 2


async def test_the_code_of_a_link_is_stored_as_a_hash(lee: Robbed) -> None:
    """Bound to the event of its notice; a read database gives no account."""
    await lee.change_password()
    [link] = await lee.codes()
    [row] = await lee.world.rows("noticeLinks", userId=lee.id)
    events = await lee.world.rows("events", _id=row["eventId"])

    assert row["_id"] == fingerprint(link)
    assert link not in str(row)
    assert len(events) == 1


async def test_a_thief_cannot_withdraw_the_code(lee: Robbed) -> None:
    """Another password or address meanwhile leaves it valid; only the right code is taken, in ten guesses."""
    await lee.change_password()
    [link] = await lee.codes()
    begun = await lee.begin(link)
    code = await lee.sent_code()
    await lee.call("SetPassword", "/password", newPassword={"password": OLD}, currentPassword=NEW)
    await lee.take()
    for _ in range(9):
        with pytest.raises(ServiceError, match="USER-402"):
            await lee.enter(begun, "AAAAAA")
    await lee.enter(begun, code)

    assert await lee.opens(THIRD)
    assert await lee.address() == (lee.mail, True)


async def test_an_organization_without_emailed_passwords_ends_the_sessions(lee: Robbed) -> None:
    """Its people get no code here either (hidePasswordReset)."""
    await lee.change_password()
    policy, token = "portico.management.v1.PolicyService.AddCustomLoginPolicy", lee.managed.tokens["owner"]
    response = await lee.managed.api.json(policy, {"hidePasswordReset": True}, token=token)
    assert response.code == 0, response.body
    [link] = await lee.codes()
    begun = await lee.begin(link)

    assert (begun.challenge, begun.waits) == ("", False)
    assert lee.managed.api.ended == [("sessions", lee.id), ("grants", lee.id)]
    assert len(await lee.world.mails_to(lee.mail)) == 1


@pytest.mark.parametrize("end", ["DeactivateUser", "DeleteUser"])
async def test_an_account_that_is_not_active_is_not_recovered(lee: Robbed, end: str) -> None:
    """The link reveals nothing of it, and that of a deleted account is deleted."""
    await lee.change_password()
    [link] = await lee.codes()
    await lee.call(end, "" if end == "DeleteUser" else "/deactivate", by="owner")

    with pytest.raises(ServiceError, match="USER-684"):
        await lee.begin(link)
    assert len(await lee.world.rows("noticeLinks", userId=lee.id)) == (end == "DeactivateUser")


async def test_sessions_end_later_where_authz_does_not_answer(lee: Robbed) -> None:
    """The request is stored with the use of the link, and background work completes it."""
    await lee.change_password()
    [link] = await lee.codes()
    lee.world.bus.silent.add(END_SESSIONS.subject)
    begun = await lee.begin(link)
    before = list(lee.managed.api.ended)
    lee.world.bus.silent.clear()
    lee.world.clock.tick(10)
    await lee.world.service.find(Revocations).complete_due()

    assert begun.challenge
    assert before == NOTHING
    # Other tests may have left work of their own to be completed.
    assert [one for one in lee.managed.api.ended if one[1] == lee.id] == [("sessions", lee.id), ("grants", lee.id)]
