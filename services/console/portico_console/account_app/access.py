from __future__ import annotations

from typing import Any, Final

from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, led_to, showing, shown_app
from portico_console.allowed_scopes import shown_allowed
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_OF: Final = "portico.management.v1.AppAccessService"
_REVOKED: Final = message("%(name)s no longer has access to your account.")


async def show_access(ctx: RequestContext, refused: Refused | None) -> Response:
    """Lists the applications with access; the account page itself cannot be removed, because logout does that."""
    found = await ctx.api.call(f"{_OF}/ListUserAppAccess", {"userId": ctx.session.sub})
    apps: list[dict[str, Any]] = found.get("result", [])
    for one in apps:
        one["name"] = shown_app(ctx, one["clientId"], one.get("name", ""))
        one["allowedScopes"] = shown_allowed(one)
    return account_page(ctx, "access.html", "access", refused, apps=apps)


async def _end(ctx: RequestContext, typed: Parameters) -> Response:
    await ctx.api.call(f"{_OF}/RemoveUserAppAccess", {"userId": ctx.session.sub, "clientId": typed.get("id", "")})
    return await led_to(ctx, "access", _REVOKED, name=typed.get("name", ""))


PAGES: Final = (PageRow("/access", showing(show_access), acting("access", show_access, _end)),)
