from __future__ import annotations

import asyncio
from typing import Any, Final

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, change, led_to, showing
from portico_console.page_table import PageRow
from portico_console.visit import Visit

UNLIKE_PASSWORDS = ErrorCode(
    "CONS-301", Kind.INVALID_REQUEST, "The two new passwords differ.", "Type the same new password twice."
)


async def show_security(visit: Visit, refused: Refused | None) -> Response:
    async with asyncio.TaskGroup() as group:
        methods = group.create_task(change(visit, "ListAuthenticationMethodTypes"))
        factors = group.create_task(change(visit, "ListAuthenticationFactors"))
        passkeys = group.create_task(change(visit, "ListPasskeys"))
        codes = group.create_task(change(visit, "CountRecoveryCodes"))
        links = group.create_task(change(visit, "ListIDPLinks"))
    found = factors.result().get("result", ())
    return account_page(
        visit,
        "security.html",
        "security",
        refused,
        has_password="AUTHENTICATION_METHOD_TYPE_PASSWORD" in methods.result().get("authMethodTypes", ()),
        passkeys=[one for one in passkeys.result().get("result", ()) if _ready(one)],
        keys=[one["u2f"] for one in found if "u2f" in one and _ready(one)],
        app=next((one["otp"] for one in found if "otp" in one and _ready(one)), None),
        has_email_codes=any("otpEmail" in one and _ready(one) for one in found),
        codes=codes.result().get("count", 0),
        links=links.result().get("result", ()),
    )


def _ready(factor: dict[str, Any]) -> bool:
    return factor.get("state") == "AUTH_FACTOR_STATE_READY"


async def _set_password(visit: Visit, typed: Parameters) -> Response:
    """Requires the current password, because the session may be unattended. Ends every session."""
    new = typed.get("new_password", "")
    if new != typed.get("repeated", ""):
        raise UNLIKE_PASSWORDS.error()
    proof = {"currentPassword": typed["current"]} if "current" in typed else {}
    await change(visit, "SetPassword", newPassword={"password": new}, **proof)
    return visit.see(f"{visit.party.path}/signed-out?password=changed")


async def _rename_passkey(visit: Visit, typed: Parameters) -> Response:
    await change(visit, "RenamePasskey", passkeyId=typed.get("id", ""), passkeyName=trimmed(typed.get("name", "")))
    return led_to(visit, "security", "saved")


async def _rename_key(visit: Visit, typed: Parameters) -> Response:
    await change(visit, "RenameU2F", u2fId=typed.get("id", ""), tokenName=trimmed(typed.get("name", "")))
    return led_to(visit, "security", "saved")


async def _remove_passkey(visit: Visit, typed: Parameters) -> Response:
    await change(visit, "RemovePasskey", passkeyId=typed.get("id", ""))
    return led_to(visit, "security", "removed")


async def _remove_key(visit: Visit, typed: Parameters) -> Response:
    await change(visit, "RemoveU2F", u2fId=typed.get("id", ""))
    return led_to(visit, "security", "removed")


async def _remove_app(visit: Visit, _typed: Parameters) -> Response:
    await change(visit, "RemoveTOTP")
    return led_to(visit, "security", "removed")


async def _email_codes_on(visit: Visit, _typed: Parameters) -> Response:
    await change(visit, "AddOTPEmail")
    return led_to(visit, "security", "saved")


async def _email_codes_off(visit: Visit, _typed: Parameters) -> Response:
    await change(visit, "RemoveOTPEmail")
    return led_to(visit, "security", "removed")


async def _new_codes(visit: Visit, _typed: Parameters) -> Response:
    made = await change(visit, "GenerateRecoveryCodes")
    name = await visit.sessions.keep_to_show(visit.session, {"codes": made["recoveryCodes"]})
    return visit.see(f"{visit.party.path}/security/recovery-codes?once={name}")


async def show_recovery_codes(visit: Visit, refused: Refused | None) -> Response:
    shown = await visit.sessions.take_to_show(visit.session, visit.request.query_params.get("once", ""))
    return account_page(visit, "recovery_codes.html", "security", refused, codes=(shown or {}).get("codes", ()))


PAGES: Final = (
    PageRow("/security", showing(show_security), acting("password", show_security, _set_password)),
    PageRow("/security/passkeys/rename", None, acting("passkeys", show_security, _rename_passkey)),
    PageRow("/security/keys/rename", None, acting("keys", show_security, _rename_key)),
    PageRow("/security/passkeys/remove", None, acting("passkeys", show_security, _remove_passkey)),
    PageRow("/security/keys/remove", None, acting("keys", show_security, _remove_key)),
    PageRow("/security/app/remove", None, acting("app", show_security, _remove_app)),
    PageRow("/security/email-codes", None, acting("email-codes", show_security, _email_codes_on)),
    PageRow("/security/email-codes/remove", None, acting("email-codes", show_security, _email_codes_off)),
    PageRow("/security/recovery-codes", showing(show_recovery_codes), acting("codes", show_security, _new_codes)),
)
