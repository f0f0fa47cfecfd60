from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import partial
from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_web.headers import NO_STORE
from starlette.responses import Response, StreamingResponse

from portico_console.console_app.exports.formats import Csv, Format, Json
from portico_console.console_app.exports.stream import MOST_ROWS, read_first, written
from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.paging import Asked, asked_by, grouped, query_of
from portico_console.console_app.screens.reading import read_rows
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.screen import Column, Listing, Screen
from portico_console.console_app.screens.table import SCREENS
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

NO_FORMAT = ErrorCode("CONS-291", Kind.NOT_FOUND, "Page not found.", "Go back to the list.")


async def show_export(screen: Screen, ctx: RequestContext) -> Response:
    """The page that starts the download; with a script it shows the progress."""
    listing, asked = _asked(screen, ctx)
    _format(ctx, listing)
    frame = await load_frame(ctx, ctx.path.get("project", ""))
    found = await read_rows(ctx, screen, asked, 1)
    base, query = address(ctx, screen.path), query_of(asked, listing)
    suffix = f"?{query}" if query else ""
    format = ctx.path["format"]
    return framed(
        ctx,
        "exports/export.html",
        frame,
        screen.key,
        screen=screen,
        crumbs=await crumbs(ctx, screen, inside=True),
        format=format.upper(),
        total=grouped(found.total, ctx.language.tag),
        count=found.total,
        too_long=found.total > MOST_ROWS,
        asked=asked,
        file=f"{base}/do/export/{format}/file{suffix}",
        name=_file_name(ctx, screen),
        back=f"{base}{suffix}",
    )


async def download(screen: Screen, ctx: RequestContext) -> Response:
    listing, asked = _asked(screen, ctx)
    format = _format(ctx, listing)
    first = await read_first(ctx, screen, asked)
    headers = {**NO_STORE, "Content-Disposition": f'attachment; filename="{_file_name(ctx, screen)}"'}
    return StreamingResponse(written(ctx, screen, asked, first, format), media_type=format.media, headers=headers)


def _asked(screen: Screen, ctx: RequestContext) -> tuple[Listing, Asked]:
    if screen.listing is None:
        raise ValueError(f"{screen.key} has no list")
    return screen.listing, asked_by(ctx.request.query_params, screen.listing)


def _format(ctx: RequestContext, listing: Listing) -> Format:
    format = ctx.path["format"]
    if format not in ("csv", "json"):
        raise NO_FORMAT.error()
    return Csv(_columns(listing)) if format == "csv" else Json()


def _columns(listing: Listing) -> tuple[Column, ...]:
    """The columns of the page, those only of files, and the id."""
    columns = (*listing.columns, *listing.only_exported)
    known = {column.path for column in columns}
    return columns if not listing.id or listing.id in known else (*columns, Column("ID", listing.id))


def _file_name(ctx: RequestContext, screen: Screen) -> str:
    title = re.sub(r"[^a-z0-9]+", "-", screen.title.lower()).strip("-")
    return f"{title}-{datetime.fromtimestamp(ctx.now, UTC):%Y-%m-%d}.{ctx.path['format']}"


def _rows(screen: Screen) -> tuple[PageRow, PageRow]:
    path = f"{screen.path}/do/export/{{format}}"
    return PageRow(path, partial(show_export, screen)), PageRow(f"{path}/file", partial(download, screen))


EXPORT_PAGES: Final = tuple(
    row for screen in SCREENS if screen.listing is not None and screen.listing.columns for row in _rows(screen)
)
"""For each list with columns. Search, filter, order and permission are those of the list."""
