"""What follows when a second factor was set up or removed."""

from __future__ import annotations

from typing import Final

from portico_oauth.errors import ServiceError
from starlette.responses import Response

from portico_console.account_app.account_page import change, led_to
from portico_console.management.api import Fields
from portico_console.management.diagnostics import NotRecent
from portico_console.messages import message
from portico_console.request_context import RequestContext

PROTECTIONS: Final = {
    "PASSKEY": message("Passkey"),
    "U2F": message("Security key"),
    "TOTP": message("Authenticator app"),
    "OTP_EMAIL": message("Email codes"),
    "OTP_SMS": message("Codes by text message"),
}
"""Types of credentials that protect an account even if its password is known."""


def kinds_in(methods: Fields) -> set[str]:
    return {word.removeprefix("AUTHENTICATION_METHOD_TYPE_") for word in methods.get("authMethodTypes", ())}


async def after_factor(ctx: RequestContext, done: str, **values: str) -> Response:
    """Shows recovery codes at once after a second factor was set up and no code is left (decision 0046)."""
    try:
        left = (await change(ctx, "CountRecoveryCodes")).get("count", 0)
        place = "security" if left else await shown_codes(ctx)
    except (ServiceError, NotRecent):  # the factor is set up; codes can be generated on the security page
        place = "security"
    return await led_to(ctx, place, done, **values)


async def shown_codes(ctx: RequestContext) -> str:
    """Generates recovery codes; returns the place of the page that shows them once."""
    made = await change(ctx, "GenerateRecoveryCodes")
    name = await ctx.sessions.keep_to_show(ctx.session, {"codes": made["recoveryCodes"]})
    return f"security/recovery-codes?once={name}"


async def after_removal(ctx: RequestContext, done: str, last: str, **values: str) -> Response:
    """`last` is the notice if no second factor is left."""
    kinds = kinds_in(await change(ctx, "ListAuthenticationMethodTypes"))
    return await led_to(ctx, "security", done if kinds & PROTECTIONS.keys() else last, **values)
