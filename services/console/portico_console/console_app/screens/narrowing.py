"""The filters of a list that are in use, as chips that remove them."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from portico_console.console_app.screens.names import name_of
from portico_console.console_app.screens.paging import Asked, Narrowed, query_of
from portico_console.console_app.screens.screen import Listing
from portico_console.request_context import RequestContext


class Chip(NamedTuple):
    """`href` is the list without this filter."""

    title: str
    name: str
    href: str


async def chips_of(ctx: RequestContext, base: str, asked: Asked, listing: Listing) -> list[Chip]:
    names = await asyncio.gather(*(_named(ctx, one) for one in asked.narrowed))
    found = []
    for one, name in zip(asked.narrowed, names, strict=True):
        query = query_of(asked, listing, **{one.by.word: ""})
        found.append(Chip(one.by.title, name, f"{base}?{query}" if query else base))
    return found


async def _named(ctx: RequestContext, one: Narrowed) -> str:
    """A group has its name, a role its key with the name of its project."""
    before, _, after = one.value.partition("/")
    name = await name_of(ctx, one.by.named, before, ctx.path.get("org", ""))
    return f"{name}: {after}" if after else name
