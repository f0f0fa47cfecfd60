from __future__ import annotations

from typing import Any, Final

from starlette.responses import Response

from portico_console.console_app.screens.paging import page_number
from portico_console.console_app.screens.requests import parts_of
from portico_console.console_app.users.user_page import MANAGEMENT, ask, load_user, user_page
from portico_console.request_context import RequestContext

_EVENTS: Final = f"{MANAGEMENT}.EventService/ListEvents"
_PAGE: Final = 50
_PAGES: Final = 20


async def show_history(ctx: RequestContext) -> Response:
    """What was changed of a user, by whom and when."""
    shown = await load_user(ctx)
    number = min(page_number(ctx.request.query_params.get("page", "1")), _PAGES)
    query = {"limit": _PAGE, "offset": str((number - 1) * _PAGE)}
    found = await ask(ctx, shown.frame, _EVENTS, {"query": query, "aggregateId": parts_of(ctx)["user"]})
    events: list[Any] = found.get("result", []) if found is not None else []
    total = int(found["details"].get("totalResult", 0)) if found else 0
    return user_page(
        ctx,
        shown,
        "history",
        events=None if found is None else events,
        number=number,
        more=number * _PAGE < total and number < _PAGES,
        search="",
    )
