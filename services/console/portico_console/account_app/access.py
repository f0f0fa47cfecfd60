from __future__ import annotations

from typing import Any, Final

from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, led_to, showing
from portico_console.page_table import PageRow
from portico_console.visit import Visit

_OF: Final = "portico.management.v1.AppAccessService"


async def show_access(visit: Visit, refused: Refused | None) -> Response:
    """Lists the applications with access; the account page itself cannot be removed, because logout does that."""
    found = await visit.api.call(f"{_OF}/ListUserAppAccess", {"userId": visit.session.sub})
    apps: list[dict[str, Any]] = found.get("result", [])
    return account_page(visit, "access.html", "access", refused, apps=apps)


async def _end(visit: Visit, typed: Parameters) -> Response:
    await visit.api.call(f"{_OF}/RemoveUserAppAccess", {"userId": visit.session.sub, "clientId": typed.get("id", "")})
    return led_to(visit, "access", "ended")


PAGES: Final = (PageRow("/access", showing(show_access), acting("access", show_access, _end)),)
