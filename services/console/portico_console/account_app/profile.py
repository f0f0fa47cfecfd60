from __future__ import annotations

from typing import Any, Final

from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import code_letters, trimmed
from portico_web.languages import LANGUAGES
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, change, get_user, led_to, showing
from portico_console.page_table import PageRow
from portico_console.visit import Visit

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


async def show_profile(visit: Visit, refused: Refused | None) -> Response:
    user = await get_user(visit)
    human = user["human"]
    profile = human["profile"]
    values = {form: profile.get(field, "") for field, form in _NAMES.items()}
    if refused and refused.form == "names":
        values |= {form: refused.typed.get(form, "") for form in values}
    return account_page(
        visit,
        "profile.html",
        "profile",
        refused,
        user=user,
        values=values,
        languages=[(one.tag, LANGUAGE_NAMES[one.tag]) for one in LANGUAGES],
        email=human["email"],
        phone=human["phone"],
    )


async def _save_names(visit: Visit, typed: Parameters) -> Response:
    stored: dict[str, Any] = (await get_user(visit))["human"]["profile"]
    given = {field: trimmed(typed.get(form, "")) for field, form in _NAMES.items()}
    await change(visit, "UpdateHumanUser", profile={**stored, **given})
    return led_to(visit, "profile", "saved")


async def _save_email(visit: Visit, typed: Parameters) -> Response:
    await change(visit, "SetEmail", email=trimmed(typed.get("email", "")), sendCode={})
    return led_to(visit, "profile", "code-sent")


async def _resend_code(visit: Visit, _typed: Parameters) -> Response:
    await change(visit, "ResendEmailCode", sendCode={})
    return led_to(visit, "profile", "code-sent")


async def _verify_email(visit: Visit, typed: Parameters) -> Response:
    await change(visit, "VerifyEmail", verificationCode=code_letters(typed.get("code", "")))
    return led_to(visit, "profile", "verified")


async def _save_phone(visit: Visit, typed: Parameters) -> Response:
    number = trimmed(typed.get("phone", ""))
    if number:
        await change(visit, "SetPhone", phone=number)
    else:
        await change(visit, "RemovePhone")
    return led_to(visit, "profile", "saved")


async def _verify_phone(visit: Visit, typed: Parameters) -> Response:
    await change(visit, "VerifyPhone", verificationCode=code_letters(typed.get("code", "")))
    return led_to(visit, "profile", "verified")


PAGES: Final = (
    PageRow("/profile", showing(show_profile), acting("names", show_profile, _save_names)),
    PageRow("/profile/email", None, acting("email", show_profile, _save_email)),
    PageRow("/profile/email/code", None, acting("email-code", show_profile, _resend_code)),
    PageRow("/profile/email/verify", None, acting("email-code", show_profile, _verify_email)),
    PageRow("/profile/phone", None, acting("phone", show_profile, _save_phone)),
    PageRow("/profile/phone/verify", None, acting("phone-code", show_profile, _verify_phone)),
)
