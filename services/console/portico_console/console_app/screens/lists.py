from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response

from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.choices import creations, for_several
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.reading import PAGE, PAGES, Asked, Rows, page_number, read_rows
from portico_console.console_app.screens.requests import Cell, address, cell, segment, text
from portico_console.console_app.screens.screen import Listing, Screen
from portico_console.request_context import RequestContext

MAX_SEARCH: Final = 200


class Row(NamedTuple):
    id: str
    href: str
    cells: list[Cell]


async def show_screen(screen: Screen, ctx: RequestContext) -> Response:
    """The page of a list."""
    frame = await load_frame(ctx, ctx.path.get("project", ""))
    return await show_list(ctx, screen, frame)


async def show_list(
    ctx: RequestContext, screen: Screen, frame: Frame, *, problem: str = "", status: int = 200
) -> Response:
    """Renders a page of the objects; without permission the page states that.

    `problem` is the error of a form on the page.
    """
    listing = screen.listing
    if listing is None:
        raise ValueError(f"{screen.key} has no list")
    asked = _asked(ctx, listing)
    reads = frame.may_call(listing.method)
    found = await read_rows(ctx, screen, asked) if reads else Rows([], 0, more=False)
    return framed(
        ctx,
        "screens/list.html",
        frame,
        screen.key,
        status=status,
        screen=screen,
        crumbs=crumbs(ctx, screen),
        base=address(ctx, screen.path),
        reads=reads,
        rows=[row_of(ctx, screen, one) for one in found.rows],
        total=found.total,
        more=found.more,
        too_many=asked.number == PAGES and found.total > PAGES * PAGE,
        asked=asked,
        narrowed=bool(asked.text or asked.filter),
        query=_query(asked),
        create=creations(frame, screen),
        several=for_several(frame, screen) if found.rows else [],
        problem=problem,
    )


def row_of(ctx: RequestContext, screen: Screen, thing: Any) -> Row:
    listing = screen.listing
    if listing is None:
        raise ValueError(f"{screen.key} has no list")
    id = text(thing, listing.id)
    return Row(id, _href(ctx, screen, listing, thing, id), [cell(thing, column) for column in listing.columns])


def _href(ctx: RequestContext, screen: Screen, listing: Listing, thing: Any, id: str) -> str:
    if listing.leads_to:
        return ctx.party.path + listing.leads_to.format_map({name: segment(str(one)) for name, one in thing.items()})
    return address(ctx, screen.object_path, {screen.part: id}) if screen.part and id else ""


def _asked(ctx: RequestContext, listing: Listing) -> Asked:
    query = ctx.request.query_params
    searches = {one.word: one for one in listing.searches}
    filters = {one.word: one for one in listing.filters}
    first = listing.searches[0] if listing.searches else None
    return Asked(
        query.get("q", "").strip()[:MAX_SEARCH],
        searches.get(query.get("in", ""), first),
        filters.get(query.get("filter", "")),
        min(page_number(query.get("page", "1")), PAGES),
    )


def _query(asked: Asked) -> str:
    parts = {
        "q": asked.text,
        "in": asked.search.word if asked.search and asked.text else "",
        "filter": asked.filter.word if asked.filter else "",
    }
    return urlencode({name: value for name, value in parts.items() if value})
