from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

from starlette.responses import Response

from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.lists import Row, row_of
from portico_console.console_app.screens.paging import MAX_SEARCH, Asked
from portico_console.console_app.screens.reading import read_rows
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.screen import Screen, Search
from portico_console.console_app.screens.table import BY_KEY
from portico_console.request_context import RequestContext

_SEARCHED: Final = (("users", ("login", "email", "name")), ("machines", ("login",)), ("projects", ("name",)))

_FIRST: Final = 5
"""Maximum results of each search."""


class Found(NamedTuple):
    screen: Screen
    by: str
    rows: list[Row]
    total: int
    href: str


async def show_everywhere(ctx: RequestContext) -> Response:
    frame = await load_frame(ctx)
    text = ctx.request.query_params.get("q", "").strip()[:MAX_SEARCH]
    found: list[Found] = []
    if text:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_search(ctx, screen, search, text)) for screen, search in _searches(frame)]
        found = [one for task in tasks if (one := task.result()).rows]
    return framed(ctx, "screens/everywhere.html", frame, "search", text=text, found=found)


def _searches(frame: Frame) -> list[tuple[Screen, Search]]:
    return [
        (BY_KEY[key], search)
        for key, words in _SEARCHED
        if (listing := BY_KEY[key].listing) and frame.may_call(listing.method)
        for search in listing.searches
        if search.word in words
    ]


async def _search(ctx: RequestContext, screen: Screen, search: Search, text: str) -> Found:
    rows = await read_rows(ctx, screen, Asked(text, search), _FIRST)
    base = address(ctx, screen.path)
    return Found(
        screen, search.title, [row_of(ctx, screen, one) for one in rows.rows], rows.total, f"{base}?in={search.word}"
    )
