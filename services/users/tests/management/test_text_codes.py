"""Codes by text message: for a phone number, and as a second factor."""

from __future__ import annotations

import json
from typing import Any

import pytest
from portico_contracts.users import SEND_FACTOR_TEXT, VERIFY_FACTOR_TEXT, SendFactorText, VerifyFactorText
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.errors import ServiceError
from portico_users.notifications.email.dispatcher import EmailDispatcher

pytestmark = pytest.mark.servers

PHONE = "+41791234567"
HOOK = {"url": "https://hooks.example/text", "allowedPrefixes": ["+41"], "messagesPerDay": 50, "messagesPerMonth": 50}
USER = "portico.user.v2.UserService"


@pytest.fixture(autouse=True)
async def no_senders(managed: Any) -> None:
    for collection in ("senders", "mails", "textCounts", "attempts"):
        await managed.users.parts.mongo.database[collection].delete_many({})


@pytest.fixture
async def sender(managed: Any) -> None:
    await call_as(managed, "portico.management.v1.SenderService.SetSmsSender", HOOK)


async def do(managed: Any, name: str, path: str, by: str = "self", **body: Any) -> ApiResponse:
    return await call_as(managed, f"{USER}.{name}", body, by=by, path=f"/v2/users/self-{managed.tag}/{path}")


async def texts(managed: Any) -> list[dict[str, Any]]:
    """Sends what waits, and returns the data of each message so far."""
    dispatcher = managed.users.service.find(EmailDispatcher)
    await dispatcher.send_due()
    await dispatcher.finish()
    return [json.loads(text)["data"] for _, text, _ in managed.users.posts.got]


async def verified_phone(managed: Any) -> None:
    await do(managed, "SetPhone", "phone", phone=PHONE, sendCode={})
    await do(managed, "VerifyPhone", "phone/verify", verificationCode=(await texts(managed))[-1]["code"])


async def test_phone_number_is_verified_by_a_text_message(managed: Any, sender: None) -> None:
    """A second code replaces the first; the message ends with the host and the code, for phones that fill it in."""
    started = await do(managed, "SetPhone", "phone", phone=PHONE, sendCode={})
    [first] = await texts(managed)
    again = await do(managed, "ResendPhoneCode", "phone/resend", by="owner")
    second = (await texts(managed))[-1]
    wrong = await do(managed, "VerifyPhone", "phone/verify", verificationCode=first["code"])
    right = await do(managed, "VerifyPhone", "phone/verify", verificationCode=second["code"])
    user = await call_as(managed, f"{USER}.GetUserByID", {}, path=f"/v2/users/self-{managed.tag}")

    assert (started.code, again.code, wrong.error_code, right.code) == (0, 0, "USER-402", 0)
    assert "verificationCode" not in started.body
    assert (second["to"], second["purpose"]) == (PHONE, "verify_phone")
    assert second["text"].endswith(f"\n\n@localhost #{second['code']}")
    assert user.body["user"]["human"]["phone"] == {"phone": PHONE, "isVerified": True}


async def test_second_factor_needs_a_verified_number_and_keeps_it(managed: Any, sender: None) -> None:
    """A number that changed would give the factor to another phone without the proof of a recent sign-in."""
    await do(managed, "SetPhone", "phone", phone=PHONE)
    unverified = await do(managed, "AddOTPSMS", "otp_sms")
    await verified_phone(managed)
    added, twice = await do(managed, "AddOTPSMS", "otp_sms"), await do(managed, "AddOTPSMS", "otp_sms")
    moved = await do(managed, "SetPhone", "phone", phone="+41790000000")
    gone = await do(managed, "RemovePhone", "phone")
    removed, unknown = await do(managed, "RemoveOTPSMS", "otp_sms"), await do(managed, "RemoveOTPSMS", "otp_sms")
    freed = await do(managed, "RemovePhone", "phone")

    assert (unverified.code, unverified.error_code) == (9, "USER-171")
    assert (added.code, twice.error_code) == (0, "USER-172")
    assert (moved.error_code, gone.error_code) == ("USER-174", "USER-174")
    assert (removed.code, unknown.error_code, freed.code) == (0, "USER-173", 0)


async def test_without_a_sender_there_is_no_factor(managed: Any) -> None:
    """Neither users nor login policies can rely on messages that are never sent."""
    added = await do(managed, "AddOTPSMS", "otp_sms")
    shown = await do(managed, "ListAuthenticationFactors", "authentication_factors/_search")

    assert (added.code, added.error_code) == (9, "USER-404")
    assert "otpSmsAvailable" not in shown.body


async def test_login_policy_must_allow_the_factor(managed: Any, sender: None) -> None:
    """No policy allows the factor by default, and the account page offers it only where one does."""
    await verified_phone(managed)
    before = await do(managed, "ListAuthenticationFactors", "authentication_factors/_search")
    allowed = await call_as(
        managed,
        "portico.management.v1.PolicyService.AddSecondFactorToLoginPolicy",
        {"type": "SECOND_FACTOR_TYPE_OTP_SMS"},
    )
    after = await do(managed, "ListAuthenticationFactors", "authentication_factors/_search")

    assert (allowed.code, after.body["otpSmsAvailable"]) == (0, True)
    assert "otpSmsAvailable" not in before.body


async def test_code_signs_in_once_for_five_minutes(managed: Any, sender: None) -> None:
    await verified_phone(managed)
    await do(managed, "AddOTPSMS", "otp_sms")
    user_id, users = f"self-{managed.tag}", managed.users
    sent = await users.call(SEND_FACTOR_TEXT, SendFactorText(user_id=user_id))
    code = (await texts(managed))[-1]["code"]

    async def verify(challenge: str) -> bool:
        answer = VerifyFactorText(user_id=user_id, challenge=challenge, code=code)
        return (await users.call(VERIFY_FACTOR_TEXT, answer)).user is not None

    assert (sent.phone, sent.delayed, len(code), code.isdigit()) == (PHONE, False, 8, True)
    assert [await verify("another"), await verify(sent.challenge), await verify(sent.challenge)] == [False, True, False]

    late = await users.call(SEND_FACTOR_TEXT, SendFactorText(user_id=user_id))
    code = (await texts(managed))[-1]["code"]
    users.clock.tick(301)
    assert not await verify(late.challenge)


async def test_reset_of_a_factor_ends_codes_on_their_way(managed: Any, sender: None) -> None:
    """An administrator who removes the factor ends the sign-in that waits for its code."""
    await verified_phone(managed)
    await do(managed, "AddOTPSMS", "otp_sms")
    user_id, users = f"self-{managed.tag}", managed.users
    sent = await users.call(SEND_FACTOR_TEXT, SendFactorText(user_id=user_id))
    code = (await texts(managed))[-1]["code"]
    await do(managed, "RemoveOTPSMS", "otp_sms", by="owner")
    answer = VerifyFactorText(user_id=user_id, challenge=sent.challenge, code=code)
    with pytest.raises(ServiceError) as refused:
        await users.call(SEND_FACTOR_TEXT, SendFactorText(user_id=user_id))

    assert (await users.call(VERIFY_FACTOR_TEXT, answer)).user is None
    assert refused.value.id == "USER-170"
