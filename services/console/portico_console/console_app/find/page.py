"""The search over people, groups, applications, projects and organizations."""

from __future__ import annotations

import asyncio
from typing import Final

from portico_contracts.error_ids import SEARCH_INCOMPLETE
from portico_oauth.errors import ServiceError
from starlette.responses import Response

from portico_console.console_app.find.results import Group, groups_of
from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext

_SEARCH: Final = "portico.management.v1.SearchService/Search"
_MAX_SEARCH: Final = 200
_OF_ORG, _OF_OTHERS = 20, 10
"""Results of each kind."""


async def show_find(ctx: RequestContext) -> Response:
    """Shows results of this organization first, then those of all others that the user may read."""
    org = ctx.path.get("org", "")
    text = ctx.request.query_params.get("q", "").strip()[:_MAX_SEARCH]
    frame, (inside, elsewhere, problem) = await asyncio.gather(load_frame(ctx), _search(ctx, text, org))
    return framed(
        ctx,
        "find.html",
        frame,
        "search",
        text=text,
        inside=inside,
        elsewhere=elsewhere,
        problem=problem,
        total=sum(len(group.results) for group in (*inside, *elsewhere)),
    )


async def _search(ctx: RequestContext, text: str, org: str) -> tuple[list[Group], list[Group], str]:
    if not text:
        return [], [], ""
    calls = [_call(ctx, text, "", _OF_OTHERS), *([_call(ctx, text, org, _OF_ORG)] if org else [])]
    try:
        everywhere, *of_org = await asyncio.gather(*calls)
    except ServiceError as error:
        if error.id == SEARCH_INCOMPLETE:
            return [], [], ctx.text_of(error)
        raise
    base = ctx.party.path
    inside = [group for found in of_org for group in groups_of(found, base, org=org)]
    return inside, groups_of(everywhere, base, but=org), ""


async def _call(ctx: RequestContext, text: str, org: str, limit: int) -> Fields:
    return await ctx.api.call(_SEARCH, {"query": text, "limit": limit}, org=org)
