from __future__ import annotations

from typing import Final

from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, change, led_to, showing
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_REMOVED: Final = message("Your %(name)s account is no longer linked.")


async def show_links(ctx: RequestContext, refused: Refused | None) -> Response:
    found = await change(ctx, "ListIDPLinks")
    return account_page(ctx, "links.html", "links", refused, links=found.get("result", ()))


async def _remove(ctx: RequestContext, typed: Parameters) -> Response:
    await change(ctx, "RemoveIDPLink", idpId=typed.get("provider", ""), linkedUserId=typed.get("user", ""))
    return await led_to(ctx, "links", _REMOVED, name=typed.get("name", ""))


PAGES: Final = (PageRow("/links", showing(show_links), acting("link", show_links, _remove)),)
