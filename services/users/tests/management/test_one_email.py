"""One call sends at most one email to one address, whatever it changes (decision 0139)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_fakes.management_api import call_as

from .account_owner import NEW, OLD, Owner

pytestmark = pytest.mark.servers

Act = Callable[[Owner], Awaitable[Any]]


async def _new_user(lee: Owner) -> Any:
    email = {"email": lee.mail, "sendCode": {}}
    return await lee.managed.add(lee.managed.new_human("kay", username=f"{lee.id}-2", email=email))


async def _invitation_to_a_new_address(lee: Owner) -> Any:
    await lee.managed.add(
        lee.managed.new_human("kay", username=f"{lee.id}-2", email={"email": lee.new_mail, "returnCode": {}})
    )
    path = f"/management/v1/users/kay-{lee.managed.tag}/_resend_initialization"
    method = "portico.management.v1.UserService.ResendHumanInitialization"
    return await call_as(lee.managed, method, {"email": lee.mail}, by="owner", path=path)


async def _email_and_password(lee: Owner) -> Any:
    body: dict[str, Any] = {
        "email": {"email": lee.new_mail, "sendCode": {}},
        "password": {"password": {"password": NEW}},
    }
    return await lee.try_to("UpdateHumanUser", by="owner", **body)


async def _vouched_email_and_password(lee: Owner) -> Any:
    body: dict[str, Any] = {
        "email": {"email": lee.new_mail, "isVerified": True},
        "password": {"password": {"password": NEW}},
    }
    return await lee.try_to("UpdateHumanUser", by="owner", **body)


async def _own_email(lee: Owner) -> Any:
    return await lee.try_to("SetEmail", "/email", email=lee.new_mail)


async def _own_password(lee: Owner) -> Any:
    return await lee.try_to("SetPassword", "/password", newPassword={"password": NEW}, currentPassword=OLD)


async def _own_password_by_code(lee: Owner) -> Any:
    code = await lee.code()
    return await lee.try_to("SetPassword", "/password", newPassword={"password": NEW}, verificationCode=code)


async def _password_reset(lee: Owner) -> Any:
    return await lee.try_to("PasswordReset", "/password_reset", by="owner", sendLink={})


async def _recovery_codes(lee: Owner) -> Any:
    return await lee.try_to("GenerateRecoveryCodes", "/recovery_codes")


async def _email_codes(lee: Owner) -> Any:
    return await lee.try_to("AddOTPEmail", "/otp_email")


async def _lost_device(lee: Owner) -> Any:
    await lee.call("GenerateRecoveryCodes", "/recovery_codes")
    passkeys = [await lee.register_key(passkey=True, name=name) for name in ("phone", "tablet")]
    lee.before = len(await lee.world.mails_to(lee.mail))
    body: dict[str, Any] = {"passkeyIds": passkeys, "recoveryCodes": True, "endSessions": True, "sendPasskeyLink": True}
    return await lee.try_to("RemoveCredentials", "/credentials/_remove", by="owner", **body)


async def _passkey_link(lee: Owner) -> Any:
    return await lee.try_to("CreatePasskeyRegistrationLink", "/passkeys/registration_link", by="owner", sendLink={})


ACTS = [
    _new_user,
    _invitation_to_a_new_address,
    _email_and_password,
    _vouched_email_and_password,
    _own_email,
    _own_password,
    _own_password_by_code,
    _password_reset,
    _recovery_codes,
    _email_codes,
    _lost_device,
    _passkey_link,
]


@pytest.mark.parametrize("act", ACTS)
async def test_one_call_sends_one_email_to_an_address(managed: Any, act: Act) -> None:
    lee = Owner(managed)
    await lee.add()
    old, new = lee.mail, lee.new_mail
    lee.before = len(await lee.world.mails_to(old))
    response = await act(lee)
    sent = len(await lee.world.mails_to(old)) - lee.before, len(await lee.world.mails_to(new))

    assert response.code == 0, response.body
    assert max(sent) == 1
