from __future__ import annotations

from typing import Final

from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, change, led_to, showing
from portico_console.page_table import PageRow
from portico_console.visit import Visit


async def show_links(visit: Visit, refused: Refused | None) -> Response:
    found = await change(visit, "ListIDPLinks")
    return account_page(visit, "links.html", "links", refused, links=found.get("result", ()))


async def _remove(visit: Visit, typed: Parameters) -> Response:
    await change(visit, "RemoveIDPLink", idpId=typed.get("provider", ""), linkedUserId=typed.get("user", ""))
    return led_to(visit, "links", "removed")


PAGES: Final = (PageRow("/links", showing(show_links), acting("link", show_links, _remove)),)
