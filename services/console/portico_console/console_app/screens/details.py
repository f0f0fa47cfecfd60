from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from starlette.responses import Response

from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.choices import arranged, creations, offered
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.lists import Row, row_of
from portico_console.console_app.screens.paging import Asked
from portico_console.console_app.screens.reading import Rows, read_object, read_rows
from portico_console.console_app.screens.requests import address, cell, given, text
from portico_console.console_app.screens.screen import Action, Column, Kind, Screen
from portico_console.console_app.screens.table import BY_KEY
from portico_console.console_app.screens.tables.shared import CHANGED, CREATED, EVENTS, ID
from portico_console.request_context import RequestContext
from portico_console.timeline import Day, days_of

_FIRST: Final = 5


class Part(NamedTuple):
    """The first rows of a list, or the last `days` of a history."""

    screen: Screen
    base: str
    rows: list[Row]
    total: int
    more: bool
    create: list[Action]
    days: Sequence[Day] = ()


async def show_object(screen: Screen, ctx: RequestContext) -> Response:
    frame = await load_frame(ctx, ctx.path.get("project", ""))
    children = [child for key in screen.children if (child := BY_KEY[key]).listing and _reads(frame, child)]
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(read_object(ctx, screen))
        above = group.create_task(crumbs(ctx, screen, inside=bool(screen.part)))
        parts = [group.create_task(_part(ctx, child, frame)) for child in children]
    thing = reading.result()
    columns = screen.facts or (screen.listing.columns if screen.listing else ())
    cells = [cell(thing, column) for column in columns]
    primary, others = arranged(screen, offered(frame, screen, thing))
    shown_parts = [part.result() for part in parts]
    lead = next((part for part in shown_parts if part.screen.key == screen.leads and part.create), None)
    if lead and primary is not None:
        others = [primary, *others]
        primary = None
    return framed(
        ctx,
        "screens/object.html",
        frame,
        screen.key,
        screen=screen,
        crumbs=above.result(),
        base=address(ctx, screen.object_path),
        name=text(thing, screen.name) if screen.name else "",
        state=next((one for one in cells if one.kind == Kind.STATE.value), None),
        facts=[
            one
            for one, column in zip(cells, columns, strict=True)
            if one.kind != Kind.STATE.value and not _is_last(column)
        ],
        last_facts=[one for one, column in zip(cells, columns, strict=True) if _is_last(column)],
        links=[one for one in screen.links if frame.may_call(one.method)],
        lead=lead,
        primary=primary,
        others=others,
        read_only=bool(screen.actions) and not any(frame.may_call(one.method) for one in screen.actions),
        parts_of=shown_parts,
        problem="",
    )


def _is_last(column: Column) -> bool:
    """Reports whether the value is below everything else, because it is rarely needed."""
    return column in (CREATED, CHANGED, ID)


def _reads(frame: Frame, screen: Screen) -> bool:
    return screen.listing is not None and frame.may_call(screen.listing.method)


async def _part(ctx: RequestContext, screen: Screen, frame: Frame) -> Part:
    if screen.listing and screen.listing.method == EVENTS:
        fields = {**given(ctx, screen, EVENTS), "query": {"limit": _FIRST}}
        events = await ctx.api.call(EVENTS, fields, org=ctx.path.get("org", ""))
        days = days_of(ctx, events.get("result", ()))
        return Part(screen, address(ctx, screen.path), [], 0, bool(events.get("nextPageToken")), [], days)
    found: Rows = await read_rows(ctx, screen, Asked(), _FIRST)
    return Part(
        screen,
        address(ctx, screen.path),
        [row_of(ctx, screen, one) for one in found.rows[:_FIRST]],
        found.total,
        found.total > _FIRST,
        creations(ctx, frame, screen),
    )
