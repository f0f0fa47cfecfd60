from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from portico_contracts.users import IMPORT_USERS, ImportUsers
from portico_fakes.management_api import ManagementApi
from portico_oauth.errors import ServiceError
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.end_user import EndUser
from portico_users.journal.journal import Journal
from portico_web.dates import date_with_zone

from .account_owner import NEW, Owner

pytestmark = pytest.mark.servers


@pytest.fixture
async def lee(managed: Any) -> Owner:
    owner = Owner(managed)
    await owner.add()
    return owner


async def _by_v2(lee: Owner) -> None:
    await lee.set_mail()
    assert await lee.notices() == []
    await _prove(lee)


async def _prove(lee: Owner) -> None:
    code = await lee.world.newest_code(lee.new_mail)
    await lee.call("VerifyEmail", "/email/verify", verificationCode=code)


async def _by_a_manager(lee: Owner) -> None:
    await lee.set_mail(by="owner", isVerified=True)


async def _by_update(lee: Owner) -> None:
    await lee.call("UpdateHumanUser", email={"email": lee.new_mail})
    await _prove(lee)


async def _by_management_v1(lee: Owner) -> None:
    await lee.call("UpdateHumanEmail", "/email", by="owner", older=True, email=lee.new_mail)


@pytest.mark.parametrize("way", [_by_v2, _by_a_manager, _by_update, _by_management_v1])
async def test_former_address_is_notified_of_a_change(lee: Owner, way: Callable[[Owner], Awaitable[None]]) -> None:
    """The notice has the change, the time and the account; the new address is masked."""
    await way(lee)
    [text] = await lee.notices()
    message = (await lee.world.mails_to(lee.mail))[-1]

    assert "- The email address was changed. The new one is: t***@m***\n" in text
    assert f"When: {date_with_zone(lee.world.clock.now(), 'en')}\n" in text
    assert f"Your login name is: {lee.id}\n" in text
    assert lee.new_mail not in message.as_string()
    assert await lee.notices(lee.new_mail) == []


async def test_notice_has_the_time_in_the_zone_of_the_profile(managed: Any) -> None:
    lee = Owner(managed)
    await lee.add(attributes={"zoneinfo": "Asia/Tokyo"})
    await lee.set_mail(by="owner", isVerified=True)
    [text] = await lee.notices()

    assert f"When: {date_with_zone(lee.world.clock.now(), 'en', 'Asia/Tokyo')}\n" in text


async def test_unverified_address_gets_no_notice(managed: Any) -> None:
    """An unverified address may be someone else's, so it gets no notice."""
    lee = Owner(managed)
    await lee.add(verified=False)
    await lee.set_mail()
    await lee.call("GenerateRecoveryCodes", "/recovery_codes")

    assert await lee.notices() == []
    assert await lee.notices(lee.new_mail) == []


async def test_notices_go_to_the_last_verified_address(lee: Owner) -> None:
    """The last verified address gets the notices until another one is verified."""
    await lee.set_mail(lee.mail)
    await lee.call("GenerateRecoveryCodes", "/recovery_codes")
    await lee.set_mail(by="owner")
    await lee.set_mail(lee.world.mail("other"), by="owner")
    await lee.call("RemoveRecoveryCodes", "/recovery_codes")
    before = await lee.changes()
    await lee.set_mail(lee.new_mail, by="owner", isVerified=True)
    await lee.call("GenerateRecoveryCodes", "/recovery_codes")

    assert sorted(before) == [
        ["New recovery codes were generated."],
        ["The email address was changed. The new one is: o***@m***"],
        ["The email address was changed. The new one is: t***@m***"],
        ["The recovery codes were removed."],
    ]
    assert len(await lee.notices()) == len(before) + 1
    assert await lee.changes(lee.new_mail) == [["New recovery codes were generated."]]


async def test_first_credentials_send_no_notice(managed: Any) -> None:
    """Neither creating an account nor its first password sends a notice."""
    lee = Owner(managed)
    await lee.add(password=None)
    await lee.call("SetPassword", "/password", by="owner", newPassword={"password": NEW})

    assert await lee.notices() == []


async def test_one_notice_per_change(lee: Owner) -> None:
    """A change of several credentials sends one notice, to the previous address."""
    await lee.call(
        "UpdateHumanUser",
        by="owner",
        email={"email": lee.new_mail, "isVerified": True},
        password={"password": {"password": NEW}},
    )

    assert await lee.changes() == [
        ["The email address was changed. The new one is: t***@m***", "The password was changed."]
    ]
    assert await lee.notices(lee.new_mail) == []


async def test_other_changes_send_no_notice(lee: Owner) -> None:
    """Names, phone numbers, a requested code and an unchanged address send no notice."""
    await lee.call("UpdateHumanUser", profile={"firstName": "Lea", "lastName": "Byron"})
    await lee.call("SetPhone", "/phone", phone="+41791234567")
    await lee.call("PasswordReset", "/password_reset", by="owner", returnCode={})
    await lee.set_mail(lee.mail, by="owner", isVerified=True)

    assert await lee.notices() == []


async def test_deleted_users_get_no_notice(lee: Owner) -> None:
    """A deleted user has no address left for a notice."""
    await lee.call("DeleteUser", by="owner")

    assert await lee.notices() == []


async def test_failed_change_sends_no_notice(lee: Owner) -> None:
    """Of concurrent changes only those that succeed send a notice."""
    response = await asyncio.gather(*(lee.try_to("GenerateRecoveryCodes", "/recovery_codes") for _ in range(6)))
    done = [one for one in response if one.code == 0]
    wrong = await lee.try_to("SetPassword", "/password", newPassword={"password": NEW}, currentPassword=NEW)

    assert {one.error_code for one in response if one.code} <= {"USER-012"}
    assert wrong.error_code == "USER-403"
    assert len(await lee.notices()) == len(done) > 0


async def test_notice_is_rolled_back_with_its_change(lee: Owner) -> None:
    """If the second of two changes in a transaction fails, neither sends a notice."""
    found = await MongoAccounts(lee.world.parts.mongo.database).find(lee.id)
    assert isinstance(found, EndUser)
    right = put_end_user(found, msgspec.structs.replace(found, has_otp_email=True))
    journal = lee.world.service.find(Journal)
    with pytest.raises(ServiceError, match="USER-012"):
        await journal.commit([right, right], actor=lee.id)

    assert await lee.notices() == []
    await journal.commit([right], actor=lee.id)
    assert len(await lee.notices()) == 1


async def test_documents_and_imports_send_no_notice(lee: Owner) -> None:
    """The operator notifies users of documents and imports in other ways."""
    human = {
        "id": lee.id,
        "username": lee.id,
        "profile": {"firstName": "Lee", "lastName": "Byron"},
        "email": {"email": lee.new_mail, "isVerified": True},
    }
    await lee.world.apply({"id": lee.managed.org_id, "name": lee.managed.org_id, "humans": [human]})
    row = '{"username":"%s","profile":{"firstName":"I","lastName":"M"},"email":{"email":"%s","isVerified":true}}'
    imported = row % (f"im-{lee.managed.tag}", lee.world.mail("im"))
    outcome = await lee.world.call(IMPORT_USERS, ImportUsers(rows=(imported,), org_id=lee.managed.org_id))

    assert (await lee.managed.get(lee.id)).body["user"]["human"]["email"]["email"] == lee.new_mail
    assert outcome.rows[0].status == "created"
    assert await lee.notices() == []
    assert await lee.notices(lee.new_mail) == []
    assert await lee.notices(lee.world.mail("im")) == []


async def test_notice_is_in_the_language_of_the_user(managed: Any) -> None:
    lee = Owner(managed)
    profile = {"firstName": "Lee", "lastName": "Byron", "preferredLanguage": "de"}
    await lee.add(profile=profile)
    await lee.call("AddOTPEmail", "/otp_email")
    [message] = await lee.world.mails_to(lee.mail)

    assert message["Subject"] == f"Ihr Konto bei {managed.org_id} wurde geändert"


async def test_credentials_change_without_a_mail_server(lee: Owner, mute: ManagementApi) -> None:
    """Without a mail server the change succeeds, and no notice is enqueued."""
    token, path = mute.token_of(lee.id), f"/v2/users/{lee.id}/recovery_codes"
    response = await mute.json("portico.user.v2.UserService.GenerateRecoveryCodes", {}, token=token, path=path)

    assert response.code == 0, response.body
    assert await lee.notices() == []
