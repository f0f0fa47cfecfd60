"""The trace of a request: each check, what was compared, what it wanted, and what to change."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from portico_contracts.context import is_request_id
from portico_oauth.errors import Kind, ServiceError
from starlette.responses import Response

from portico_console.request_context import RequestContext

_GET: Final = "portico.management.v1.TraceService/GetTrace"


async def show_diagnostic_search(ctx: RequestContext) -> Response:
    id = ctx.request.query_params.get("request", "").strip()
    if not id:
        return ctx.page("console/trace_search.html", frame=None, id="", absent=False)
    if not is_request_id(id):
        return ctx.page("console/trace_search.html", frame=None, id=id[:64], absent=True)
    return ctx.see(f"{ctx.party.path}/requests/{quote(id, safe='')}")


async def show_diagnostic(ctx: RequestContext) -> Response:
    id = ctx.path["id"]
    try:
        found = await ctx.api.call(_GET, {"requestId": id})
    except ServiceError as error:
        if error.kind is not Kind.NOT_FOUND:
            raise
        return ctx.page("console/trace_search.html", frame=None, status=404, id=id, absent=True)
    return ctx.page("console/trace.html", frame=None, trace=found["trace"])
