"""Several credentials of a user are removed at once, and one email names them all."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse
from portico_users.credentials.totp.time_codes import code_at

from .account_owner import Owner

pytestmark = pytest.mark.servers

PLACE = "/credentials/_remove"
ALL_GONE = {"The recovery codes were removed.", "A passkey was removed.", "A security key was removed.",
            "An authenticator app was removed."}  # fmt: skip


class Loser(Owner):
    async def set_up(self) -> None:
        await self.add()
        self.passkey = await self.register_key(passkey=True)
        self.key = await self.register_key(passkey=False)
        begun = await self.call("RegisterTOTP", "/totp")
        code = code_at(base64.b32decode(begun.body["secret"]), self.world.clock.now())
        await self.call("VerifyTOTPRegistration", "/totp/verify", code=code)
        await self.call("GenerateRecoveryCodes", "/recovery_codes")
        self.told = len(await self.emails())

    async def lose(self, *, by: str = "owner", **body: Any) -> ApiResponse:
        return await self.try_to("RemoveCredentials", PLACE, by=by, **body)

    async def emails(self) -> list[Any]:
        return list(await self.world.mails_to(self.mail))

    async def methods(self) -> set[str]:
        found = await self.call("ListAuthenticationMethodTypes", "/authentication_methods", by="owner")
        return {one.removeprefix("AUTHENTICATION_METHOD_TYPE_") for one in found.body["authMethodTypes"]}

    def everything(self) -> dict[str, Any]:
        return {"passkeyIds": [self.passkey], "u2fIds": [self.key], "totp": True, "recoveryCodes": True}


@pytest.fixture
async def lee(managed: Any) -> Loser:
    lee = Loser(managed)
    await lee.set_up()
    return lee


async def test_one_email_names_all_removed_credentials_and_has_the_link(lee: Loser) -> None:
    """The link was made after the removal, which makes earlier ones void: it registers a passkey."""
    response = await lee.lose(**lee.everything(), endSessions=True, sendPasskeyLink=True)
    emails = (await lee.emails())[lee.told :]
    [*_, text] = await lee.notices()

    assert response.code == 0
    assert await lee.methods() == {"PASSWORD"}
    assert len(emails) == 1
    assert ALL_GONE <= {line[2:] for line in text.split("\n") if line.startswith("- ")}
    assert text.count("/ui/login/passkey") + text.count("codeID=") >= 1
    assert "Use this link to register a new passkey." in text


@pytest.mark.parametrize(
    ("wrong", "error_code"),
    [({"passkeyIds": ["none"]}, "USER-501"), ({"otpEmail": True}, "USER-532"), ({"otpSms": True}, "USER-173")],
)
async def test_nothing_is_removed_where_one_is_unknown(lee: Loser, wrong: dict[str, Any], error_code: str) -> None:
    refused = await lee.lose(**(lee.everything() | wrong), endSessions=True)

    assert refused.error_code == error_code
    assert await lee.methods() == {"PASSWORD", "PASSKEY", "U2F", "TOTP", "RECOVERY_CODE"}
    assert len(await lee.emails()) == lee.told


async def test_id_of_a_passkey_names_no_security_key(lee: Loser) -> None:
    refused = await lee.lose(u2fIds=[lee.passkey])

    assert refused.fields == ["u2fIds[0]"]
    assert "PASSKEY" in await lee.methods()


async def test_a_credential_must_be_named(lee: Loser) -> None:
    assert (await lee.lose(endSessions=True)).error_code == "USER-945"


async def test_user_may_remove_own_credentials_but_gets_no_link(lee: Loser) -> None:
    """A link for a passkey is the right of administrators: with a stolen token it would be a lasting way in."""
    refused = await lee.lose(by="lee", totp=True, sendPasskeyLink=True)
    response = await lee.lose(by="lee", totp=True, recoveryCodes=True)

    assert refused.code == 7
    assert response.code == 0
    assert await lee.methods() == {"PASSWORD", "PASSKEY", "U2F"}


async def test_link_of_a_user_without_a_verified_address_is_an_email_of_its_own(managed: Any) -> None:
    """No notice goes to an address that may be another person's; the link does, as SendPasswordlessRegistration's."""
    lee = Loser(managed)
    await lee.add(verified=False)
    await lee.call("GenerateRecoveryCodes", "/recovery_codes", by="owner")
    await lee.lose(recoveryCodes=True, sendPasskeyLink=True)

    assert [str(one["Subject"]) for one in await lee.emails()] == [f"A passkey for {managed.org_id}"]


async def test_sessions_and_tokens_end_with_the_credentials(lee: Loser) -> None:
    before = len(lee.managed.api.ended)
    await lee.lose(totp=True, endSessions=True)

    assert lee.managed.api.ended[before:] == [("sessions", lee.id), ("grants", lee.id)]
