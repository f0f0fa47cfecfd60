from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from starlette.responses import Response

from portico_console.console_app.screens.requests import address
from portico_console.console_app.users.user_page import MANAGEMENT, ONE, load_user, user_page
from portico_console.request_context import RequestContext
from portico_console.timeline import days_of

_EVENTS: Final = f"{MANAGEMENT}.EventService/ListEvents"
_PAGE: Final = 50


async def show_history(ctx: RequestContext) -> Response:
    """What a user did, what was done to the user, and the sign-ins."""
    shown, after = await load_user(ctx), ctx.request.query_params.get("after", "")
    if not shown.frame.may_call(_EVENTS):
        return user_page(ctx, shown, "history", may_read=False)
    fields = {"userId": ctx.path["user"], "query": {"limit": _PAGE}, "pageToken": after}
    found = await ctx.api.call(_EVENTS, fields, org=ctx.path["org"])
    base, older = f"{address(ctx, ONE)}/history", found.get("nextPageToken", "")
    return user_page(
        ctx,
        shown,
        "history",
        may_read=True,
        days=days_of(ctx, found.get("result", ())),
        older=f"{base}?{urlencode({'after': older})}" if older else "",
        newest=base if after else "",
    )
