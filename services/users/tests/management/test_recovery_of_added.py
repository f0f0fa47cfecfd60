"""Recovery by a notice removes what was added since the session of the disputed change began (decision 0116)."""

from __future__ import annotations

from typing import Any, Final

import pytest

from .robbed import Robbed

pytestmark = pytest.mark.servers

HOUR: Final = 3_600
CHANGED: Final = "The password was changed."


@pytest.fixture
async def lee(managed: Any) -> Robbed:
    robbed = Robbed(managed)
    await robbed.add()
    return robbed


async def test_everything_added_in_the_session_is_removed(lee: Robbed) -> None:
    """What was added before the disputed change is removed too, so that none of it is requested at the next sign-in."""
    own = await lee.register_key(passkey=True)
    lee.world.clock.tick(HOUR)
    lee.sign_in()
    await lee.register_key(passkey=True)
    await lee.register_key(passkey=False)
    await lee.link_identity("thief")
    await lee.add_totp()
    await lee.call("AddOTPEmail", "/otp_email")
    await lee.call("GenerateRecoveryCodes", "/recovery_codes")
    lee.world.clock.tick(HOUR)
    lee.sign_in(again=True)
    await lee.change_password()
    [link] = await lee.codes(about=CHANGED)
    await lee.recover(link)

    user = await lee.row()
    assert [key["id"] for key in user["securityKeys"]] == [own]
    assert [user[name] for name in ("idpLinks", "hasTotp", "hasOtpEmail", "recoveryCodes")] == [[], False, False, 0]
    assert [row["_id"] for row in await lee.world.rows("webauthnKeys", userId=lee.id)] == [own]
    for collection in ("totpSecrets", "recoveryCodes"):
        assert await lee.world.rows(collection, _id=lee.id) == [], collection


async def test_what_was_there_before_the_session_stays(lee: Robbed) -> None:
    """A reader of the mailbox removes no second factor that is older than the session (decision 0058)."""
    lee.sign_in()
    own = {await lee.register_key(passkey=True), await lee.register_key(passkey=False)}
    await lee.link_identity("own")
    await lee.add_totp()
    await lee.call("AddOTPEmail", "/otp_email")
    await lee.call("GenerateRecoveryCodes", "/recovery_codes")
    lee.world.clock.tick(HOUR)
    lee.sign_in()
    await lee.change_password()
    [link] = await lee.codes(about=CHANGED)
    await lee.recover(link)

    user = await lee.row()
    assert {key["id"] for key in user["securityKeys"]} == own
    assert [len(user["idpLinks"]), user["hasTotp"], user["hasOtpEmail"], user["recoveryCodes"]] == [1, True, True, 10]


async def test_a_replaced_factor_is_the_attackers(lee: Robbed) -> None:
    """Removed and added again: the secret and the codes are others."""
    await lee.add_totp()
    await lee.call("GenerateRecoveryCodes", "/recovery_codes")
    lee.world.clock.tick(HOUR)
    lee.sign_in()
    await lee.call("RemoveTOTP", "/totp")
    await lee.add_totp()
    await lee.call("GenerateRecoveryCodes", "/recovery_codes")
    await lee.change_password()
    [link] = await lee.codes(about=CHANGED)
    await lee.recover(link)

    user = await lee.row()
    assert (user["hasTotp"], user["recoveryCodes"]) == (False, 0)


async def test_without_codes_for_passwords_the_link_removes_it(lee: Robbed) -> None:
    """Where the organization sends no such codes (hidePasswordReset), the button is all that the owner has."""
    own = await lee.register_key(passkey=True)
    lee.world.clock.tick(HOUR)
    lee.sign_in()
    await lee.register_key(passkey=True)
    await lee.change_password()
    policy, token = "portico.management.v1.PolicyService.AddCustomLoginPolicy", lee.managed.tokens["owner"]
    assert (await lee.managed.api.json(policy, {"hidePasswordReset": True}, token=token)).code == 0
    [link] = await lee.codes(about=CHANGED)
    begun = await lee.begin(link)

    assert begun.challenge == ""
    assert [key["id"] for key in (await lee.row())["securityKeys"]] == [own]
    assert lee.managed.api.ended == [("sessions", lee.id), ("grants", lee.id)]
