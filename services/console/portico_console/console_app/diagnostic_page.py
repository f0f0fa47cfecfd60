"""The trace of a request: each check, what was compared, what it wanted, and what to change."""

from __future__ import annotations

import asyncio
from typing import Final
from urllib.parse import quote, urlencode

from portico_contracts.context import is_request_id
from portico_oauth.errors import Kind, ServiceError
from starlette.responses import Response

from portico_console.console_app.rights import load_frame_around
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.names import name_of, name_of_app
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext

_MAX_ID: Final = 64
_GET: Final = "portico.management.v1.TraceService/GetTrace"


async def show_diagnostic_search(ctx: RequestContext) -> Response:
    id = ctx.request.query_params.get("request", "").strip()
    if not is_request_id(id):
        return framed(
            ctx, "trace_search.html", await load_frame_around(ctx), "requests", id=id[:_MAX_ID], absent=bool(id)
        )
    org = ctx.request.query_params.get("org", "")
    kept = f"?{urlencode({'org': org})}" if org else ""
    return ctx.see(f"{ctx.party.path}/requests/{quote(id, safe='')}{kept}")


async def show_diagnostic(ctx: RequestContext) -> Response:
    id = ctx.path["id"]
    try:
        found = await ctx.api.call(_GET, {"requestId": id})
    except ServiceError as error:
        if error.kind is not Kind.NOT_FOUND:
            raise
        frame = await load_frame_around(ctx)
        return framed(ctx, "trace_search.html", frame, "requests", status=404, id=id, absent=True)
    trace = found["trace"]
    frame, names = await asyncio.gather(load_frame_around(ctx, trace.get("orgId", "")), _names(ctx, trace))
    return framed(ctx, "trace.html", frame, "requests", trace=trace, names=names)


async def _names(ctx: RequestContext, trace: Fields) -> dict[str, str]:
    """Returns the names of the objects of a trace, read side by side; an unknown one keeps its id."""
    org, project, app = (str(trace.get(name, "")) for name in ("orgId", "projectId", "appId"))
    reading = {
        name: name_of(ctx, name, id, org) for name in ("orgId", "projectId", "userId") if (id := trace.get(name))
    }
    if project and app:
        reading["appId"] = name_of_app(ctx, org, project, app)
    return dict(zip(reading, await asyncio.gather(*reading.values()), strict=True))
