from __future__ import annotations

from typing import Final

from starlette.responses import Response

from portico_console.console_app.api_access.clients import change_clients, ticked, ticked_before
from portico_console.console_app.new_app.start import load_app, show_app
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.table import BY_KEY
from portico_console.messages import message
from portico_console.request_context import RequestContext

SAVED: Final = message("The applications that may use %(name)s were saved.")


async def save_clients(ctx: RequestContext) -> Response:
    """Changes only those whose switch was moved: another administrator may have changed others meanwhile."""
    typed = await ctx.read_form()
    app = await load_app(ctx)
    now, before = ticked(typed), ticked_before(typed)
    refused = await change_clients(ctx, app["apiConfig"]["clientId"], add=now - before, remove=before - now)
    if refused:
        return await show_app(ctx, refused=refused)
    return await ctx.see_notice(address(ctx, BY_KEY["apps"].object_path), SAVED, name=app["name"])
