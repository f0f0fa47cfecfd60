from __future__ import annotations

from typing import Final

from portico_oauth.errors import ServiceError
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import code_letters
from portico_web.qr_code import grouped, qr_code
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, change, showing
from portico_console.account_app.second_factor import after_factor
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_ADDED: Final = message("The authenticator app is set up.")


async def show_new_app(ctx: RequestContext, refused: Refused | None) -> Response:
    """The secret is shown only on this page, the same after a wrong code and in every tab."""
    begun = await _begin(ctx, refused)
    return account_page(
        ctx,
        "new_app.html",
        "security",
        refused,
        uri=begun["uri"] if begun else "",
        image=qr_code(begun["uri"]) if begun else "",
        secret=grouped(begun["secret"]) if begun else "",
    )


async def _begin(ctx: RequestContext, refused: Refused | None) -> Fields | None:
    """Returns the pending registration; None after an error that prevents one, so that the reason is shown."""
    try:
        return await change(ctx, "RegisterTOTP")
    except ServiceError:
        if refused is None:
            raise
        return None


async def _verify(ctx: RequestContext, typed: Parameters) -> Response:
    await change(ctx, "VerifyTOTPRegistration", code=code_letters(typed.get("code", "")))
    return await after_factor(ctx, _ADDED)


PAGES: Final = (PageRow("/security/app/new", showing(show_new_app), acting("code", show_new_app, _verify)),)
