from __future__ import annotations

from typing import Any, Final

from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import code_letters, trimmed
from portico_web.languages import LANGUAGES
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, change, get_user, led_to, showing
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_NAMES: Final = {
    "firstName": "first_name",
    "lastName": "last_name",
    "nickName": "nick_name",
    "displayName": "display_name",
    "preferredLanguage": "language",
}

LANGUAGE_NAMES: Final = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "it": "Italiano",
    "es": "Español",
    "pt": "Português",
    "pl": "Polski",
    "nl": "Nederlands",
    "ja": "日本語",
    "zh": "中文",
    "ar": "العربية",
}


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
        languages=[(one.tag, LANGUAGE_NAMES[one.tag]) for one in LANGUAGES],
        email=human["email"],
        phone=human["phone"],
    )


async def _save_names(ctx: RequestContext, typed: Parameters) -> Response:
    stored: dict[str, Any] = (await get_user(ctx))["human"]["profile"]
    given = {field: trimmed(typed.get(form, "")) for field, form in _NAMES.items()}
    await change(ctx, "UpdateHumanUser", profile={**stored, **given})
    return led_to(ctx, "profile", "saved")


async def _save_email(ctx: RequestContext, typed: Parameters) -> Response:
    await change(ctx, "SetEmail", email=trimmed(typed.get("email", "")), sendCode={})
    return led_to(ctx, "profile", "code-sent")


async def _resend_code(ctx: RequestContext, _typed: Parameters) -> Response:
    await change(ctx, "ResendEmailCode", sendCode={})
    return led_to(ctx, "profile", "code-sent")


async def _verify_email(ctx: RequestContext, typed: Parameters) -> Response:
    await change(ctx, "VerifyEmail", verificationCode=code_letters(typed.get("code", "")))
    return led_to(ctx, "profile", "verified")


async def _save_phone(ctx: RequestContext, typed: Parameters) -> Response:
    number = trimmed(typed.get("phone", ""))
    if number:
        await change(ctx, "SetPhone", phone=number)
    else:
        await change(ctx, "RemovePhone")
    return led_to(ctx, "profile", "saved")


async def _verify_phone(ctx: RequestContext, typed: Parameters) -> Response:
    await change(ctx, "VerifyPhone", verificationCode=code_letters(typed.get("code", "")))
    return led_to(ctx, "profile", "verified")


PAGES: Final = (
    PageRow("/profile", showing(show_profile), acting("names", show_profile, _save_names)),
    PageRow("/profile/email", None, acting("email", show_profile, _save_email, at="profile")),
    PageRow("/profile/email/code", None, acting("email-code", show_profile, _resend_code, at="profile")),
    PageRow("/profile/email/verify", None, acting("email-code", show_profile, _verify_email, at="profile")),
    PageRow("/profile/phone", None, acting("phone", show_profile, _save_phone, at="profile")),
    PageRow("/profile/phone/verify", None, acting("phone-code", show_profile, _verify_phone, at="profile")),
)
