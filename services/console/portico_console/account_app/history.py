from __future__ import annotations

from typing import Any, Final

from portico_contracts.activities.activity import SYSTEM_NAME
from portico_web.catalogue import load_catalogue
from starlette.responses import Response

from portico_console.account_app.account_page import account_page, shown_app
from portico_console.account_app.headlines import HEADLINES
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import PACKAGE, RequestContext
from portico_console.timeline import Day, Entry, days_of

_PAGE: Final = 50
_MOST_PAGES: Final = 20
_ADMINISTRATOR: Final = message("An administrator")
_BY_ADMINISTRATOR: Final = message("by an administrator")
_BY_SYSTEM: Final = message("by the system")


async def show_history(ctx: RequestContext) -> Response:
    text = ctx.request.query_params.get("page", "1")
    number = min(int(text), _MOST_PAGES) if text.isascii() and text.isdecimal() and 0 < len(text) < 4 else 1
    number = max(number, 1)
    found = await ctx.api.call(
        "portico.management.v1.CallerService/ListMyEvents",
        {"query": {"limit": _PAGE, "offset": str((number - 1) * _PAGE)}},
    )
    total = int(found["details"].get("totalResult", 0))
    events = {one["id"]: _named(ctx, one) for one in found.get("result", ())}
    days = [
        Day(day.date, [_headed(ctx, one, events[one.id]) for one in day.entries])
        for day in days_of(ctx, events.values(), linked=False)
    ]
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


def _headed(ctx: RequestContext, entry: Entry, event: dict[str, Any]) -> Entry:
    """With what happened instead of a sentence about the user, and who did it if it was another."""
    from markupsafe import Markup, escape  # noqa: PLC0415 - loaded with the template engine, by the first page

    headline = HEADLINES.get(event.get("activity", ""))
    if headline is None:
        return entry
    words = load_catalogue(PACKAGE, ctx.language.tag)
    app = next((one["name"] for one in event["related"] if one["type"] == "apps"), "")
    shown = escape(words.gettext(headline)) % {"application": Markup("<bdi>{}</bdi>").format(app)}
    is_own = event["editorUserId"] == ctx.session.sub
    by = [] if is_own else [words.gettext(_BY_SYSTEM if event["editorUserId"] == "system" else _BY_ADMINISTRATOR)]
    return entry._replace(sentence=shown, notes=[*by, *entry.notes])


PAGES: Final = (PageRow("/history", show_history),)
