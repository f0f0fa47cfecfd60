from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest
from portico_contracts.users import (
    CHANGE_PASSWORD,
    SET_PASSWORD_BY_LINK,
    VERIFY_RECOVERY_CODE,
    ChangePassword,
    SetPasswordByLink,
    VerifyRecoveryCode,
)
from portico_users.credentials.totp.time_codes import code_at

from .account_owner import NEW, OLD, Owner

pytestmark = pytest.mark.servers


@pytest.fixture
async def lee(managed: Any) -> Owner:
    owner = Owner(managed)
    await owner.add()
    return owner


async def _own_password(lee: Owner) -> None:
    await lee.call("SetPassword", "/password", newPassword={"password": NEW}, currentPassword=OLD)


async def _password_by_a_manager(lee: Owner) -> None:
    await lee.call("SetPassword", "/password", by="owner", newPassword={"password": NEW})


async def _password_by_update(lee: Owner) -> None:
    await lee.call("UpdateHumanUser", by="owner", password={"password": {"password": NEW}})


async def _password_by_management_v1(lee: Owner) -> None:
    await lee.call("SetHumanPassword", "/password", by="owner", older=True, password=NEW)


async def _password_by_code(lee: Owner) -> None:
    await lee.call("SetPassword", "/password", newPassword={"password": NEW}, verificationCode=await lee.code())


async def _password_by_link(lee: Owner) -> None:
    message = SetPasswordByLink(user_id=lee.id, code=await lee.code(), new_password=NEW)
    await lee.world.call(SET_PASSWORD_BY_LINK, message)


async def _password_at_sign_in(lee: Owner) -> None:
    message = ChangePassword(user_id=lee.id, current_password=OLD, new_password=NEW)
    await lee.world.call(CHANGE_PASSWORD, message)


@pytest.mark.parametrize(
    "way",
    [
        _own_password,
        _password_by_a_manager,
        _password_by_update,
        _password_by_management_v1,
        _password_by_code,
        _password_by_link,
        _password_at_sign_in,
    ],
)
async def test_password_change_sends_a_notice(lee: Owner, way: Callable[[Owner], Awaitable[None]]) -> None:
    """Every way of changing a password sends a notice, for every caller."""
    await way(lee)

    assert (await lee.world.try_password(lee.id, NEW)).user is not None
    assert await lee.changes() == [["The password was changed."]]


EVIL: Final = "buy at evil.example"


async def _passkey(lee: Owner) -> None:
    # Renaming in between sends no notice.
    id = await lee.register_key(passkey=True, name=EVIL)
    await lee.call("RenamePasskey", f"/passkeys/{id}", passkeyName="another name")
    await lee.call("RemovePasskey", f"/passkeys/{id}")


async def _security_key(lee: Owner) -> None:
    await lee.call("RemoveU2F", f"/u2f/{await lee.register_key(passkey=False, name=EVIL)}")


async def _authenticator(lee: Owner) -> None:
    secret = base64.b32decode((await lee.call("RegisterTOTP", "/totp")).body["secret"])
    await lee.call("VerifyTOTPRegistration", "/totp/verify", code=code_at(secret, lee.world.clock.now()))
    await lee.call("RemoveTOTP", "/totp", by="owner")


async def _mail_codes(lee: Owner) -> None:
    await lee.call("AddOTPEmail", "/otp_email")
    await lee.call("RemoveOTPEmail", "/otp_email")


async def _recovery_codes(lee: Owner) -> None:
    made = await lee.call("GenerateRecoveryCodes", "/recovery_codes", count=2)
    # As many codes as would remain after using one.
    await lee.call("GenerateRecoveryCodes", "/recovery_codes", count=1)
    assert len(made.body["recoveryCodes"]) == 2
    await lee.call("RemoveRecoveryCodes", "/recovery_codes")


async def _used_recovery_codes(lee: Owner) -> None:
    for code in (await lee.call("GenerateRecoveryCodes", "/recovery_codes", count=2)).body["recoveryCodes"]:
        await lee.world.call(VERIFY_RECOVERY_CODE, VerifyRecoveryCode(user_id=lee.id, code=code))


@pytest.mark.parametrize(
    ("way", "told"),
    [
        (_passkey, ["A passkey was added.", "A passkey was removed."]),
        (_security_key, ["A security key was added.", "A security key was removed."]),
        (_authenticator, ["An authenticator app was added.", "An authenticator app was removed."]),
        (
            _mail_codes,
            ["Codes by email were added as a second factor.", "Codes by email were removed as a second factor."],
        ),
        (_recovery_codes, [*["New recovery codes were generated."] * 2, "The recovery codes were removed."]),
        (_used_recovery_codes, ["New recovery codes were generated.", *["A recovery code was used to sign in."] * 2]),
    ],
)
async def test_every_added_or_removed_factor_sends_a_notice(
    lee: Owner, way: Callable[[Owner], Awaitable[None]], told: list[str]
) -> None:
    """The notice has the kind of the factor, but never the name given to it (HH-06)."""
    await way(lee)

    assert sorted(await lee.changes()) == sorted([one] for one in told)
    assert "evil" not in str(await lee.notices())


async def test_linking_and_unlinking_an_identity_sends_notices(lee: Owner) -> None:
    """Linked identities allow signing in like a credential (LG-24, MG-16)."""
    idp_id = await lee.add_provider("jwt")
    link = {"idpId": idp_id, "userId": "over-there", "userName": "lee@over.example"}
    await lee.call("AddIDPLink", "/links", by="owner", idpLink=link)
    await lee.call("RemoveIDPLink", f"/links/{idp_id}/over-there", by="owner")

    assert await lee.changes() == [
        ["An account at another identity provider was linked. It can be used to sign in."],
        ["An account at another identity provider was unlinked. It can no longer be used to sign in."],
    ]
