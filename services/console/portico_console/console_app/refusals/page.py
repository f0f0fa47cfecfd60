"""The last refused requests of an organization, and the trace of one: each check, and what to change."""

from __future__ import annotations

import asyncio
from typing import Final
from urllib.parse import quote, urlencode

from portico_contracts.context import is_request_id
from starlette.responses import Response

from portico_console.console_app.refusals.diagnostics import find_trace, last_refusals, unregistered_uri
from portico_console.console_app.refusals.words import ENDPOINTS, checks_of, word_of
from portico_console.console_app.rights import load_frame_around
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.names import name_of, name_of_app
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext

_MAX_ID: Final = 64


async def show_refusals(ctx: RequestContext) -> Response:
    id = ctx.request.query_params.get("request", "").strip()
    if not is_request_id(id):
        return await _list(ctx, id[:_MAX_ID])
    org = ctx.request.query_params.get("org", "")
    kept = f"?{urlencode({'org': org})}" if org else ""
    return ctx.see(f"{ctx.party.path}/requests/{quote(id, safe='')}{kept}")


async def show_refusal(ctx: RequestContext) -> Response:
    id = ctx.path["id"]
    trace = await find_trace(ctx, id)
    if trace is None:
        return await _list(ctx, id, status=404)
    frame, names = await asyncio.gather(load_frame_around(ctx, trace.get("orgId", "")), _names(ctx, trace))
    uri = unregistered_uri(trace, frame)
    return framed(
        ctx,
        "refusals/trace.html",
        frame,
        "requests",
        trace=trace,
        endpoint=word_of(ENDPOINTS, trace.get("endpoint", ""), ctx.words.gettext),
        checks=checks_of(trace, ctx.words.gettext),
        names=names,
        uri=uri,
    )


async def _list(ctx: RequestContext, id: str, *, status: int = 200) -> Response:
    """`id` is the one that was searched and not found."""
    frame = await load_frame_around(ctx)
    found = await last_refusals(ctx, frame)
    return framed(
        ctx, "refusals/list.html", frame, "requests", status=status, id=id, absent=bool(id), refusals=found
    )  # fmt: skip


async def _names(ctx: RequestContext, trace: Fields) -> dict[str, str]:
    """Returns the names of the objects of a trace, read side by side; an unknown one keeps its id."""
    org, project, app = (str(trace.get(name, "")) for name in ("orgId", "projectId", "appId"))
    reading = {
        name: name_of(ctx, name, id, org) for name in ("orgId", "projectId", "userId") if (id := trace.get(name))
    }
    if project and app:
        reading["appId"] = name_of_app(ctx, org, project, app)
    return dict(zip(reading, await asyncio.gather(*reading.values()), strict=True))
