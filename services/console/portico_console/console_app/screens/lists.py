from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from starlette.responses import Response

from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.choices import creations, for_several
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.narrowing import chips_of
from portico_console.console_app.screens.paging import REACH, Asked, asked_by, grouped, headers, pager, query_of
from portico_console.console_app.screens.reading import Rows, read_rows
from portico_console.console_app.screens.requests import Cell, address, cell, text
from portico_console.console_app.screens.saved_filters import saved_filters
from portico_console.console_app.screens.screen import Listing, Screen
from portico_console.request_context import RequestContext, segment

MOST_SELECTED: Final = 1000
"""Maximum rows of an action on a whole list: the API returns them in one call, and their ids fit into a form."""


class Row(NamedTuple):
    id: str
    href: str
    cells: list[Cell]
    address: str = ""


async def show_screen(screen: Screen, ctx: RequestContext) -> Response:
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
    query = ctx.request.query_params
    asked = asked_by(query, listing)
    reads = frame.may_call(listing.method)
    found = await read_rows(ctx, screen, asked) if reads else Rows([], 0, more=False)
    base, tag = address(ctx, screen.path), ctx.language.tag
    several = for_several(frame, screen) if found.rows else []
    return framed(
        ctx,
        "screens/list.html",
        frame,
        screen.key,
        status=status,
        screen=screen,
        crumbs=await crumbs(ctx, screen),
        base=base,
        reads=reads,
        rows=[row_of(ctx, screen, one) for one in found.rows],
        pager=pager(base, asked, listing, len(found.rows), found.total, tag),
        too_many=asked.number * asked.size >= REACH and found.total > REACH,
        asked=asked,
        narrowed=asked.is_narrowed,
        chips=await chips_of(ctx, base, asked, listing),
        saved=saved_filters(ctx, asked, listing) if listing.narrowings else None,
        create=creations(ctx, frame, screen),
        imports=bool(screen.imports) and frame.may_call(screen.imports),
        several=several,
        selected=query.get("select", "") if several else "",
        whole=grouped(min(found.total, MOST_SELECTED), tag) if found.total > len(found.rows) else "",
        bounded=found.total > MOST_SELECTED,
        problem=problem,
        **_links(base, asked, listing),
    )


def _links(base: str, asked: Asked, listing: Listing) -> dict[str, Any]:
    def to(**other: Any) -> str:
        changed = query_of(asked, listing, **other)
        return f"{base}?{changed}" if changed else base

    page = asked.number if asked.number > 1 else ""
    return {
        "to": to,
        "query": query_of(asked, listing),
        "hidden": dict(parse_qsl(query_of(asked, listing, q="", **{"in": ""}))),
        "headers": headers(base, asked, listing),
        "unselected": to(page=page),
        "select_page": to(select="page", page=page),
        "select_all": to(select="all"),
    }


def row_of(ctx: RequestContext, screen: Screen, thing: Any) -> Row:
    listing = screen.listing
    if listing is None:
        raise ValueError(f"{screen.key} has no list")
    id = text(thing, listing.id)
    cells = [cell(thing, column) for column in listing.columns]
    beside = text(thing, screen.address) if listing.with_address else ""
    return Row(id, _href(ctx, screen, listing, thing, id), cells, beside if beside != cells[0].value else "")


def _href(ctx: RequestContext, screen: Screen, listing: Listing, thing: Any, id: str) -> str:
    if listing.leads_to:
        values = {name: segment(str(one)) for name, one in {**ctx.path, **thing}.items()}
        return ctx.party.path + listing.leads_to.format_map(values)
    return address(ctx, screen.object_path, {screen.part: id}) if screen.part and id else ""
