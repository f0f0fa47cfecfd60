"""The search over people, groups, applications, projects and organizations, and over pages of the console."""

from __future__ import annotations

import asyncio
from typing import Final

from portico_contracts.error_ids import SEARCH_INCOMPLETE
from portico_oauth.errors import ServiceError
from starlette.responses import Response

from portico_console.console_app.find.places import places_for
from portico_console.console_app.find.results import Group, groups_of
from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.paging import grouped
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext

_SEARCH: Final = "portico.management.v1.SearchService/Search"
_MAX_SEARCH: Final = 200
_OF_ORG, _OF_OTHERS = 20, 10
_SUGGESTED: Final = 4
"""Results of each kind."""


async def show_find(ctx: RequestContext) -> Response:
    """Shows results of this organization first, then those of all others that the user may read."""
    org = ctx.path.get("org", "")
    text = ctx.request.query_params.get("q", "").strip()[:_MAX_SEARCH]
    searching = _search(ctx, text, org, (_OF_ORG, _OF_OTHERS), counted=True)
    frame, (inside, elsewhere, problem) = await asyncio.gather(load_frame(ctx), searching)
    places, shown = places_for(ctx, frame, text), [*inside, *elsewhere]
    total = sum(max(group.matches, len(group.results)) for group in (*shown, *places))
    return framed(
        ctx,
        "find.html",
        frame,
        "search",
        text=text,
        places=places,
        inside=inside,
        elsewhere=elsewhere,
        problem=problem,
        total=total,
        at_least=any(group.at_least or (group.more and not group.matches) for group in shown),
        grouped=lambda number: grouped(number, ctx.language.tag),
    )


async def show_suggestions(ctx: RequestContext) -> Response:
    """A part of a page, which the script shows below the search box while the user types."""
    org = ctx.path.get("org", "")
    text = ctx.request.query_params.get("q", "").strip()[:_MAX_SEARCH]
    searching = _search(ctx, text, org, (_SUGGESTED, _SUGGESTED))
    frame, (inside, elsewhere, _problem) = await asyncio.gather(load_frame(ctx), searching)
    groups = [*inside, *places_for(ctx, frame, text), *elsewhere]
    target = ctx.request.url.path.removesuffix("/suggestions")
    return ctx.page("console/suggestions.html", groups=groups, text=text, target=target)


async def _search(
    ctx: RequestContext, text: str, org: str, limits: tuple[int, int], *, counted: bool = False
) -> tuple[list[Group], list[Group], str]:
    """`limits` are those of this organization and of all. Only matches of one place can be counted."""
    if not text:
        return [], [], ""
    of_org, of_all = limits
    calls = [_call(ctx, text, "", of_all, counted=counted and not org)]
    if org:
        calls.append(_call(ctx, text, org, of_org, counted=counted))
    try:
        everywhere, *within = await asyncio.gather(*calls)
    except ServiceError as error:
        if error.id == SEARCH_INCOMPLETE:
            return [], [], ctx.text_of(error)
        raise
    base = ctx.party.path
    inside = [group for found in within for group in groups_of(found, base, org=org)]
    return inside, groups_of(everywhere, base, but=org), ""


async def _call(ctx: RequestContext, text: str, org: str, limit: int, *, counted: bool) -> Fields:
    return await ctx.api.call(_SEARCH, {"query": text, "limit": limit, "countMatches": counted}, org=org)
