from __future__ import annotations

import asyncio
from typing import Final

from starlette.responses import Response

from portico_console.console_app.rights import load_frame_around
from portico_console.console_app.screens.choices import creations
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.paging import page_number
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.table import BY_KEY
from portico_console.request_context import RequestContext, segment

PAGE: Final = 50

_MAX_SEARCH: Final = 200


async def show_home(ctx: RequestContext) -> Response:
    """Redirects to the user's only organization, or lists all of them."""
    found = await ctx.api.call("portico.management.v1.CallerService/ListMyOrgs", {"query": {"limit": 2}})
    orgs = found.get("result", [])
    where = f"/orgs/{segment(orgs[0]['id'])}" if len(orgs) == 1 else "/all"
    return ctx.see(f"{ctx.party.path}{where}")


async def show_all(ctx: RequestContext) -> Response:
    query = ctx.request.query_params
    search = query.get("q", "").strip()[:_MAX_SEARCH]
    page = page_number(query.get("page", "1"))
    fields = {"search": search, "query": {"limit": PAGE, "offset": str((page - 1) * PAGE)}}
    frame, found = await asyncio.gather(
        load_frame_around(ctx), ctx.api.call("portico.management.v1.CallerService/ListMyOrgs", fields)
    )
    screen = BY_KEY["instance-orgs"]
    orgs, total = found.get("result", []), int(found["details"].get("totalResult", 0))
    return framed(
        ctx,
        "home.html",
        frame,
        "all",
        create=creations(ctx, frame, screen),
        creates_at=address(ctx, screen.path),
        orgs=orgs,
        own=found.get("ownOrgId", ""),
        total=total,
        search=search,
        number=page,
        more=page * PAGE < total,
    )
