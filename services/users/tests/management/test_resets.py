"""Operations started before a reset cannot be completed after it."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_contracts.users import SET_PASSWORD_BY_LINK, SetPasswordByLink
from portico_fakes.soft_authenticator import UP, UV, SoftAuthenticator
from portico_oauth.errors import ServiceError
from portico_users.credentials.totp.time_codes import code_at

from .account_owner import NEW, Owner

pytestmark = pytest.mark.servers

Finish = Callable[[], Awaitable[str]]
"""Completes the operation and returns the error id, empty without one."""

Begin = Callable[[Owner], Awaitable[Finish]]
Change = Callable[[Owner], Awaitable[None]]


def made(begun: dict[str, Any]) -> dict[str, Any]:
    key = SoftAuthenticator(secrets.token_bytes, "http://localhost:8080", flags=UP | UV)
    return key.create(begun["publicKeyCredentialCreationOptions"])


async def security_key(lee: Owner) -> Finish:
    begun = (await lee.call("RegisterU2F", "/u2f")).body
    sent: dict[str, Any] = {"publicKeyCredential": made(begun), "tokenName": "a key"}
    return lambda: refusal(lee, "VerifyU2FRegistration", f"/u2f/{begun['u2fId']}", **sent)


async def passkey(lee: Owner, **code: Any) -> Finish:
    begun = (await lee.call("RegisterPasskey", "/passkeys", **code)).body
    sent: dict[str, Any] = {"publicKeyCredential": made(begun), "passkeyName": "a key"}
    return lambda: refusal(lee, "VerifyPasskeyRegistration", f"/passkeys/{begun['passkeyId']}", **sent)


async def passkey_by_link(lee: Owner) -> Finish:
    code = (
        await lee.call("CreatePasskeyRegistrationLink", "/passkeys/registration_link", by="owner", returnCode={})
    ).body
    return await passkey(lee, code=code["code"])


async def passkey_link(lee: Owner) -> Finish:
    link = (
        await lee.call("CreatePasskeyRegistrationLink", "/passkeys/registration_link", by="owner", returnCode={})
    ).body
    # Another user, permitted only by the code of the link.
    return lambda: refusal(lee, "RegisterPasskey", "/passkeys", by="robot", code=link["code"])


async def app(lee: Owner) -> Finish:
    secret = base64.b32decode((await lee.call("RegisterTOTP", "/totp")).body["secret"])
    return lambda: refusal(lee, "VerifyTOTPRegistration", "/totp/verify", code=code_at(secret, lee.world.clock.now()))


async def password_code(lee: Owner) -> Finish:
    code = await lee.code()
    sent: dict[str, Any] = {"newPassword": {"password": "seven green bottles"}, "verificationCode": code}
    return lambda: refusal(lee, "SetPassword", "/password", **sent)


async def password_link(lee: Owner) -> Finish:
    message = SetPasswordByLink(user_id=lee.id, code=await lee.code(), new_password="seven green bottles")

    async def finish() -> str:
        try:
            await lee.world.call(SET_PASSWORD_BY_LINK, message)
        except ServiceError as error:
            return error.id
        return ""

    return finish


async def address_code(lee: Owner) -> Finish:
    set_ = (await lee.call("SetEmail", "/email", by="owner", email=lee.new_mail, returnCode={})).body
    return lambda: refusal(lee, "VerifyEmail", "/email/verify", verificationCode=set_["verificationCode"])


async def refusal(lee: Owner, name: str, path: str, *, by: str = "lee", **body: Any) -> str:
    return (await lee.try_to(name, path, by=by, **body)).error_code


async def nothing(lee: Owner) -> None:
    await lee.call("UpdateHumanUser", by="owner", profile={"firstName": "Lee", "lastName": "Other"})
    await lee.call("GenerateRecoveryCodes", "/recovery_codes", count=2)
    await lee.register_key(passkey=False)


async def factor_removed(lee: Owner) -> None:
    await lee.call("RemoveOTPEmail", "/otp_email", by="owner")


async def key_removed(lee: Owner) -> None:
    await lee.call("RemoveU2F", f"/u2f/{await lee.register_key(passkey=False)}", by="owner")


async def codes_removed(lee: Owner) -> None:
    await lee.call("GenerateRecoveryCodes", "/recovery_codes", count=2)
    await lee.call("RemoveRecoveryCodes", "/recovery_codes", by="owner")


async def password_set(lee: Owner) -> None:
    await lee.call("SetPassword", "/password", by="owner", newPassword={"password": NEW})


async def address_set(lee: Owner) -> None:
    await lee.set_mail(by="owner", isVerified=True)


BEGUN = {
    "security key": (security_key, "USER-501"),
    "passkey": (passkey, "USER-501"),
    "passkey by a link": (passkey_by_link, "USER-501"),
    "link of a passkey": (passkey_link, "USER-312"),
    "app": (app, "USER-511"),
    "code of a password": (password_code, "USER-402"),
    "link of a password": (password_link, "USER-402"),
    "code of an address": (address_code, "USER-402"),
}
RESETS = [factor_removed, key_removed, codes_removed, password_set, address_set]


@pytest.fixture
async def lee(managed: Any) -> Owner:
    lee = Owner(managed)
    await lee.add()
    await lee.call("AddOTPEmail", "/otp_email")
    return lee


@pytest.mark.parametrize("kind", BEGUN)
async def test_reset_invalidates_pending_operations(lee: Owner, kind: str) -> None:
    """Registrations, links and codes become invalid; additions and other changes are no resets."""
    begin, wrong = BEGUN[kind]
    before = await begin(lee)
    await factor_removed(lee)
    refused = await before()
    after = await begin(lee)
    await nothing(lee)

    assert refused == wrong
    assert await after() == ""


@pytest.mark.parametrize("reset", RESETS)
async def test_removals_and_replacements_are_resets(lee: Owner, reset: Change) -> None:
    """Removing or replacing a factor, recovery codes, password or address, by administrator or user, is a reset."""
    before = await security_key(lee)
    await reset(lee)
    [event] = [one for one in await lee.world.rows("events", object=lee.id) if one["sequence"] == 2]

    assert await before() == "USER-501"
    assert "resets" not in str(event)
