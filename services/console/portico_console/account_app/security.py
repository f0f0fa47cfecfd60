from __future__ import annotations

import asyncio
from typing import Any, Final

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, change, led_to, showing
from portico_console.account_app.second_factor import PROTECTIONS, after_factor, after_removal, kinds_in, shown_codes
from portico_console.management.password_rules import find_password_rules
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

UNLIKE_PASSWORDS = ErrorCode(
    "CONS-301", Kind.INVALID_REQUEST, "The two new passwords differ.", "Type the same new password twice."
)


_PASSKEY_RENAMED: Final = message("The passkey was renamed to %(name)s.")
_KEY_RENAMED: Final = message("The security key was renamed to %(name)s.")
_REMOVED: Final = message("%(name)s was removed.")
_LAST_REMOVED: Final = message("%(name)s was removed. Your account has no second factor now.")
_APP_REMOVED: Final = message("The authenticator app was removed.")
_LAST_APP_REMOVED: Final = message("The authenticator app was removed. Your account has no second factor now.")
_EMAIL_CODES_ON: Final = message("Email codes are now a second factor.")
_EMAIL_CODES_OFF: Final = message("Email codes are no longer a second factor.")
_LAST_EMAIL_CODES_OFF: Final = message("Email codes were turned off. Your account has no second factor now.")

_TEXT_CODES_ON: Final = message("Codes by text message are now a second factor.")
_TEXT_CODES_OFF: Final = message("Codes by text message are no longer a second factor.")
_LAST_TEXT_CODES_OFF: Final = message("Codes by text message were turned off. Your account has no second factor now.")


async def show_security(ctx: RequestContext, refused: Refused | None) -> Response:
    async with asyncio.TaskGroup() as group:
        methods = group.create_task(change(ctx, "ListAuthenticationMethodTypes"))
        factors = group.create_task(change(ctx, "ListAuthenticationFactors"))
        passkeys = group.create_task(change(ctx, "ListPasskeys"))
        codes = group.create_task(change(ctx, "CountRecoveryCodes"))
        links = group.create_task(change(ctx, "ListIDPLinks"))
        rules = group.create_task(find_password_rules(ctx.api))
    found = factors.result().get("result", ())
    kinds = kinds_in(methods.result())
    return account_page(
        ctx,
        "security.html",
        "security",
        refused,
        has_password="PASSWORD" in kinds,
        password_allowed=not methods.result().get("passwordNotAllowed", False),
        rules=rules.result(),
        protected_by=[word for kind, word in PROTECTIONS.items() if kind in kinds],
        passkeys=[one for one in passkeys.result().get("result", ()) if _ready(one)],
        keys=[one["u2f"] for one in found if "u2f" in one and _ready(one)],
        app=next((one["otp"] for one in found if "otp" in one and _ready(one)), None),
        has_text_codes=any("otpSms" in one and _ready(one) for one in found),
        may_add_text_codes=factors.result().get("otpSmsAvailable", False),
        has_email_codes=any("otpEmail" in one and _ready(one) for one in found),
        codes=codes.result().get("count", 0),
        links=links.result().get("result", ()),
    )


def _ready(factor: dict[str, Any]) -> bool:
    return factor.get("state") == "AUTH_FACTOR_STATE_READY"


async def _set_password(ctx: RequestContext, typed: Parameters) -> Response:
    """Requires the current password, because the session may be unattended. Ends every session."""
    new = typed.get("new_password", "")
    if new != typed.get("repeated", ""):
        raise UNLIKE_PASSWORDS.error()
    proof = {"currentPassword": typed["current"]} if "current" in typed else {}
    await change(ctx, "SetPassword", newPassword={"password": new}, **proof)
    return ctx.see(f"{ctx.party.path}/signed-out?password=changed")


async def _rename_passkey(ctx: RequestContext, typed: Parameters) -> Response:
    await change(ctx, "RenamePasskey", passkeyId=typed.get("id", ""), passkeyName=trimmed(typed.get("name", "")))
    return await led_to(ctx, "security", _PASSKEY_RENAMED, name=trimmed(typed.get("name", "")))


async def _rename_key(ctx: RequestContext, typed: Parameters) -> Response:
    await change(ctx, "RenameU2F", u2fId=typed.get("id", ""), tokenName=trimmed(typed.get("name", "")))
    return await led_to(ctx, "security", _KEY_RENAMED, name=trimmed(typed.get("name", "")))


async def _remove_passkey(ctx: RequestContext, typed: Parameters) -> Response:
    await change(ctx, "RemovePasskey", passkeyId=typed.get("id", ""))
    return await after_removal(ctx, _REMOVED, _LAST_REMOVED, name=typed.get("name", ""))


async def _remove_key(ctx: RequestContext, typed: Parameters) -> Response:
    await change(ctx, "RemoveU2F", u2fId=typed.get("id", ""))
    return await after_removal(ctx, _REMOVED, _LAST_REMOVED, name=typed.get("name", ""))


async def _remove_app(ctx: RequestContext, _typed: Parameters) -> Response:
    await change(ctx, "RemoveTOTP")
    return await after_removal(ctx, _APP_REMOVED, _LAST_APP_REMOVED)


async def _email_codes_on(ctx: RequestContext, _typed: Parameters) -> Response:
    await change(ctx, "AddOTPEmail")
    return await after_factor(ctx, _EMAIL_CODES_ON)


async def _email_codes_off(ctx: RequestContext, _typed: Parameters) -> Response:
    await change(ctx, "RemoveOTPEmail")
    return await after_removal(ctx, _EMAIL_CODES_OFF, _LAST_EMAIL_CODES_OFF)


async def _text_codes_on(ctx: RequestContext, _typed: Parameters) -> Response:
    await change(ctx, "AddOTPSMS")
    return await after_factor(ctx, _TEXT_CODES_ON)


async def _text_codes_off(ctx: RequestContext, _typed: Parameters) -> Response:
    await change(ctx, "RemoveOTPSMS")
    return await after_removal(ctx, _TEXT_CODES_OFF, _LAST_TEXT_CODES_OFF)


async def _new_codes(ctx: RequestContext, _typed: Parameters) -> Response:
    return ctx.see(f"{ctx.party.path}/{await shown_codes(ctx)}")


async def show_recovery_codes(ctx: RequestContext, refused: Refused | None) -> Response:
    shown = await ctx.sessions.take_to_show(ctx.session, ctx.request.query_params.get("once", ""))
    return account_page(ctx, "recovery_codes.html", "security", refused, codes=(shown or {}).get("codes", ()))


PAGES: Final = (
    PageRow("/security", showing(show_security), acting("password", show_security, _set_password)),
    PageRow("/security/passkeys/rename", None, acting("passkeys", show_security, _rename_passkey, at="security")),
    PageRow("/security/keys/rename", None, acting("keys", show_security, _rename_key, at="security")),
    PageRow("/security/passkeys/remove", None, acting("passkeys", show_security, _remove_passkey, at="security")),
    PageRow("/security/keys/remove", None, acting("keys", show_security, _remove_key, at="security")),
    PageRow("/security/app/remove", None, acting("app", show_security, _remove_app, at="security")),
    PageRow("/security/email-codes", None, acting("email-codes", show_security, _email_codes_on, at="security")),
    PageRow(
        "/security/email-codes/remove", None, acting("email-codes", show_security, _email_codes_off, at="security")
    ),
    PageRow("/security/text-codes", None, acting("text-codes", show_security, _text_codes_on, at="security")),
    PageRow("/security/text-codes/remove", None, acting("text-codes", show_security, _text_codes_off, at="security")),
    PageRow("/security/recovery-codes", showing(show_recovery_codes), acting("codes", show_security, _new_codes)),
)
