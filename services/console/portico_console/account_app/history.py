from __future__ import annotations

from typing import Any, Final

from portico_contracts.activities.activity import SYSTEM_NAME
from portico_web.catalogue import load_catalogue
from starlette.responses import Response

from portico_console.account_app.account_page import account_page, shown_app
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import PACKAGE, RequestContext
from portico_console.timeline import days_of

_PAGE: Final = 50
_MOST_PAGES: Final = 20
_ADMINISTRATOR: Final = message("An administrator")


async def show_history(ctx: RequestContext) -> Response:
    text = ctx.request.query_params.get("page", "1")
    number = min(int(text), _MOST_PAGES) if text.isascii() and text.isdecimal() and 0 < len(text) < 4 else 1
    number = max(number, 1)
    found = await ctx.api.call(
        "portico.management.v1.CallerService/ListMyEvents",
        {"query": {"limit": _PAGE, "offset": str((number - 1) * _PAGE)}},
    )
    total = int(found["details"].get("totalResult", 0))
    days = days_of(ctx, [_named(ctx, one) for one in found.get("result", ())], linked=False)
    more = number * _PAGE < total and number < _MOST_PAGES
    return account_page(ctx, "history.html", "history", days=days, number=number, more=more, search="")


def _named(ctx: RequestContext, event: dict[str, Any]) -> dict[str, Any]:
    """Adds the only names that a user sees: the own one."""
    own = event["editorUserId"] == ctx.session.sub
    me = {"id": ctx.session.sub, "type": "users", "name": ctx.session.name}
    words = load_catalogue(PACKAGE, ctx.language.tag)
    other = {"name": words.gettext(SYSTEM_NAME if event["editorUserId"] == "system" else _ADMINISTRATOR)}
    # Of related objects only applications are named.
    others = [one | {"name": shown_app(ctx, one["id"], one.get("name", ""))} for one in event.get("related", ())]
    return event | {"editor": me if own else other, "object": me, "related": [me, *others]}


PAGES: Final = (PageRow("/history", show_history),)
