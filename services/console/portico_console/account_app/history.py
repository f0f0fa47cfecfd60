from __future__ import annotations

from typing import Any, Final, NamedTuple

from starlette.responses import Response

from portico_console.account_app.account_page import account_page
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_PAGE: Final = 50
_MOST_PAGES: Final = 20

WORDS: Final = {
    "hasPassword": "Password",
    "passwordChanged": "Password",
    "passwordChangeRequired": "Password",
    "securityKeys": "Passkeys and security keys",
    "hasTotp": "Authenticator app",
    "hasOtpEmail": "Code by email",
    "recoveryCodes": "Recovery codes",
    "idpLinks": "Linked accounts",
    "grants": "Roles",
    "email": "Email",
    "emailVerified": "Email",
    "phone": "Phone",
    "phoneVerified": "Phone",
    "userName": "User name",
    "state": "State",
}
"""Description by changed field, in English and translated; all others belong to the profile."""

PROFILE: Final = "Profile"


class Change(NamedTuple):
    at: str
    type: str
    words: list[str]
    own: bool


async def show_history(ctx: RequestContext) -> Response:
    text = ctx.request.query_params.get("page", "1")
    number = min(int(text), _MOST_PAGES) if text.isascii() and text.isdecimal() and 0 < len(text) < 4 else 1
    number = max(number, 1)
    found = await ctx.api.call(
        "portico.management.v1.CallerService/ListMyEvents",
        {"query": {"limit": _PAGE, "offset": str((number - 1) * _PAGE)}},
    )
    total = int(found["details"].get("totalResult", 0))
    changes = [_change(ctx, one) for one in found.get("result", ())]
    more = number * _PAGE < total and number < _MOST_PAGES
    return account_page(ctx, "history.html", "history", changes=changes, number=number, more=more, search="")


def _change(ctx: RequestContext, event: dict[str, Any]) -> Change:
    words = dict.fromkeys(WORDS.get(one, PROFILE) for one in event.get("fields", ()))
    return Change(event["creationDate"], event["type"], list(words), event["editorUserId"] == ctx.session.sub)


PAGES: Final = (PageRow("/history", show_history),)
