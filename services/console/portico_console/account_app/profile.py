from __future__ import annotations

from typing import Any, Final

from portico_contracts.error_ids import NO_TEXT_MESSAGES
from portico_contracts.languages import OWN_NAMES, TAGS
from portico_oauth.errors import ServiceError
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import code_letters, trimmed
from portico_web.languages import LANGUAGES
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, change, get_user, led_to, showing
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_NAMES: Final = {
    "firstName": "first_name",
    "lastName": "last_name",
    "nickName": "nick_name",
    "displayName": "display_name",
    "preferredLanguage": "language",
}

_PROFILE_SAVED: Final = message("Your profile was saved.")
_CODE_SENT: Final = message("We sent a code to %(address)s.")
_CODE_RESENT: Final = message("We sent another code.")
_EMAIL_VERIFIED: Final = message("Your email address is verified.")
_PHONE_SAVED: Final = message("Your phone number is now %(number)s.")
_PHONE_CODE_SENT: Final = message("We sent a code to %(number)s. Enter it to verify the number.")
_PHONE_REMOVED: Final = message("Your phone number was removed.")
_PHONE_VERIFIED: Final = message("Your phone number is verified.")


async def show_profile(ctx: RequestContext, refused: Refused | None) -> Response:
    user = await get_user(ctx)
    human = user["human"]
    profile = human["profile"]
    values = {form: profile.get(field, "") for field, form in _NAMES.items()}
    if refused and refused.form == "names":
        values |= {form: refused.typed.get(form, "") for form in values}
    return account_page(
        ctx,
        "profile.html",
        "profile",
        refused,
        user=user,
        values=values,
        languages=_languages(values["language"]),
        email=human["email"],
        phone=human["phone"],
    )


def _languages(chosen: str) -> list[tuple[str, str]]:
    """A stored language that no page has stays selectable, so that saving the form does not change it."""
    names = {one.tag: OWN_NAMES[one.tag] for one in LANGUAGES}
    return list((names | ({chosen: OWN_NAMES.get(chosen, chosen)} if chosen else {})).items())


async def _save_names(ctx: RequestContext, typed: Parameters) -> Response:
    stored: dict[str, Any] = (await get_user(ctx))["human"]["profile"]
    given = {field: trimmed(typed.get(form, "")) for field, form in _NAMES.items()}
    await change(ctx, "UpdateHumanUser", profile={**stored, **given})
    response = await led_to(ctx, "profile", _PROFILE_SAVED)
    tag = given["preferredLanguage"]
    if tag != stored.get("preferredLanguage", "") and tag in ("", *TAGS):
        response.headers.append("Set-Cookie", ctx.language_cookie(tag))
    return response


async def _save_email(ctx: RequestContext, typed: Parameters) -> Response:
    await change(ctx, "SetEmail", email=trimmed(typed.get("email", "")), sendCode={})
    return await led_to(ctx, "profile", _CODE_SENT, address=trimmed(typed.get("email", "")))


async def _resend_code(ctx: RequestContext, _typed: Parameters) -> Response:
    await change(ctx, "ResendEmailCode", sendCode={})
    return await led_to(ctx, "profile", _CODE_RESENT)


async def _verify_email(ctx: RequestContext, typed: Parameters) -> Response:
    await change(ctx, "VerifyEmail", verificationCode=code_letters(typed.get("code", "")))
    return await led_to(ctx, "profile", _EMAIL_VERIFIED)


async def _save_phone(ctx: RequestContext, typed: Parameters) -> Response:
    number = trimmed(typed.get("phone", ""))
    if number:
        try:
            await change(ctx, "SetPhone", phone=number, sendCode={})
        except ServiceError as error:
            if error.id != NO_TEXT_MESSAGES:  # else the number stays unverified
                raise
            await change(ctx, "SetPhone", phone=number)
            return await led_to(ctx, "profile", _PHONE_SAVED, number=number)
        return await led_to(ctx, "profile", _PHONE_CODE_SENT, number=number)
    await change(ctx, "RemovePhone")
    return await led_to(ctx, "profile", _PHONE_REMOVED)


async def _send_phone_code(ctx: RequestContext, _typed: Parameters) -> Response:
    number = (await get_user(ctx))["human"]["phone"].get("phone", "")
    await change(ctx, "SetPhone", phone=number, sendCode={})
    return await led_to(ctx, "profile", _PHONE_CODE_SENT, number=number)


async def _verify_phone(ctx: RequestContext, typed: Parameters) -> Response:
    await change(ctx, "VerifyPhone", verificationCode=code_letters(typed.get("code", "")))
    return await led_to(ctx, "profile", _PHONE_VERIFIED)


PAGES: Final = (
    PageRow("/profile", showing(show_profile), acting("names", show_profile, _save_names)),
    PageRow("/profile/email", None, acting("email", show_profile, _save_email, at="profile")),
    PageRow("/profile/email/code", None, acting("email-code", show_profile, _resend_code, at="profile")),
    PageRow("/profile/email/verify", None, acting("email-code", show_profile, _verify_email, at="profile")),
    PageRow("/profile/phone", None, acting("phone", show_profile, _save_phone, at="profile")),
    PageRow("/profile/phone/code", None, acting("phone-code", show_profile, _send_phone_code, at="profile")),
    PageRow("/profile/phone/verify", None, acting("phone-code", show_profile, _verify_phone, at="profile")),
)
