"""Reads what a screen shows: a page of its objects, one of them, and what belongs to it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.names import add_names
from portico_console.console_app.screens.paging import REACH, Asked
from portico_console.console_app.screens.requests import filled, find, given, merged
from portico_console.console_app.screens.screen import Listing, Screen
from portico_console.console_app.screens.table import BY_KEY
from portico_console.request_context import RequestContext

_ALL: Final = 1000
"""Rows searched for one object, where the API has no lookup by id."""

_SIDE_BY_SIDE: Final = 8

NOT_THERE = ErrorCode("CONS-261", Kind.NOT_FOUND, "This object no longer exists.", "Go back to the list.")


@dataclass(frozen=True, slots=True)
class Rows:
    rows: list[Any]
    total: int
    more: bool


async def read_rows(
    ctx: RequestContext, screen: Screen, asked: Asked, size: int | None = None, offset: int | None = None
) -> Rows:
    """Reads a page; `size` and `offset` replace those of the address."""
    listing, size = _listing(screen), size or asked.size
    offset = (asked.number - 1) * size if offset is None else offset
    fields = merged(
        given(ctx, screen, listing.method),
        filled(listing.fixed, ctx.path),
        filled(asked.search.query, {"q": asked.text}) if asked.search and asked.text else {},
        asked.filter.query if asked.filter else {},
        *(filled(one.by.query, one.fields) for one in asked.narrowed),
        {"sortingColumn": asked.sort.by} if asked.sort and asked.sort.by else {},
        _page(listing, size, offset, descending=asked.descending if asked.sort else None),
    )
    found = await _call(ctx, listing, fields, asked.number, size)
    await add_names(ctx, screen.named, found.rows)
    return found


async def read_object(ctx: RequestContext, screen: Screen, parts: Mapping[str, str] | None = None) -> Any:
    """Returns the object of the URL, or the only one of its kind; `parts` replace those of the URL."""
    getting = screen.getting
    if getting is not None:
        fields = given(ctx, screen, getting.method, parts)
        found = await ctx.api.call(getting.method, fields, org=ctx.path.get("org", ""))
        thing = found[getting.object] if getting.object else found
        await add_names(ctx, screen.named, [thing])
        return thing
    return await _find_in_list(ctx, screen)


async def _find_in_list(ctx: RequestContext, screen: Screen) -> Any:
    listing, id = _listing(screen), ctx.path[screen.part]
    fields = merged(
        given(ctx, screen, listing.method),
        filled(listing.fixed, ctx.path),
        filled(listing.one, {"id": id}),
        _page(listing, _ALL, 0),
    )
    found = await _call(ctx, listing, fields, 1, _ALL)
    for row in found.rows:
        if find(row, listing.id) == id:
            return row
    raise NOT_THERE.error()


async def read_some(ctx: RequestContext, screen: Screen, ids: Sequence[str]) -> dict[str, Any]:
    """Returns the objects of these ids that still exist: by one call of the list, or else each by itself."""
    listing = _listing(screen)
    if screen.getting is not None and not listing.some:
        return await _get_each(ctx, screen, ids)
    fields = merged(
        given(ctx, screen, listing.method),
        filled(listing.fixed, ctx.path),
        filled(listing.some, {"ids": list(ids)}),
        _page(listing, _ALL, 0),
    )
    found = await _call(ctx, listing, fields, 1, _ALL)
    return {id: row for row in found.rows if (id := str(find(row, listing.id))) in ids}


async def _get_each(ctx: RequestContext, screen: Screen, ids: Sequence[str]) -> dict[str, Any]:
    gate = asyncio.Semaphore(_SIDE_BY_SIDE)

    async def get(id: str) -> Any:
        async with gate:
            try:
                return await read_object(ctx, screen, {screen.part: id})
            except ServiceError as error:
                if error.kind not in (Kind.NOT_FOUND, Kind.PERMISSION_DENIED):
                    raise
                return {}

    return dict(zip(ids, await asyncio.gather(*(get(id) for id in ids)), strict=True))


async def _call(ctx: RequestContext, listing: Listing, fields: Mapping[str, Any], number: int, size: int) -> Rows:
    found = await ctx.api.call(listing.method, fields, org=ctx.path.get("org", ""))
    rows: list[Any] = found.get("result", [])
    details = found.get("details", {}) or found.get("pagination", {})
    total = int(details.get("totalResult", 0) or len(rows))
    return Rows(rows, total, bool(listing.page) and number * size < min(total, REACH))


def _page(listing: Listing, size: int, offset: int, *, descending: bool | None = None) -> dict[str, Any]:
    if not listing.page:
        return {}
    page: dict[str, Any] = {"limit": size, "offset": str(offset)}
    falls = listing.newest_first if descending is None else descending
    return {listing.page: page if falls else page | {"asc": True}}


def _listing(screen: Screen) -> Listing:
    if screen.listing is None:
        raise ValueError(f"{screen.key} has no list")
    return screen.listing


class Hanging(NamedTuple):
    title: str
    total: int


async def hanging_on(ctx: RequestContext, screen: Screen, frame: Frame) -> list[Hanging]:
    known = [
        one for key in screen.hangs if (one := BY_KEY[key]).listing is not None and frame.may_call(one.listing.method)
    ]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(read_rows(ctx, one, Asked(), 1)) for one in known]
    found = [Hanging(one.title, task.result().total) for one, task in zip(known, tasks, strict=True)]
    found += await _counted(ctx, screen, frame)
    return [one for one in found if one.total]


async def _counted(ctx: RequestContext, screen: Screen, frame: Frame) -> list[Hanging]:
    usage = screen.usage
    if usage is None or not frame.may_call(usage.method):
        return []
    fields = given(ctx, screen, usage.method)
    found = await ctx.api.call(usage.method, fields, org=ctx.path.get("org", ""))
    return [Hanging(title, int(found.get(field, 0))) for title, field in usage.counts]
