"""Bulk actions: one call per row; the page carries the remaining rows, so it needs no script and survives a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from portico_oauth.errors import ErrorCode, Kind, ServiceError
from starlette.responses import Response

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.lists import show_list
from portico_console.console_app.screens.requests import address, filled, given, merged, parts_of
from portico_console.console_app.screens.screen import Action, Danger, Screen
from portico_console.request_context import RequestContext

MOST: Final = 100
"""Maximum rows: those of a page. Their results fit into a form."""

_AT_ONCE: Final = 20
"""Calls per page load, after which progress is shown."""

SIDE_BY_SIDE: Final = 4

NONE_CHOSEN = ErrorCode("CONS-266", Kind.INVALID_REQUEST, "Nothing is selected.", "Select at least one entry.")
TOO_MANY = ErrorCode(
    "CONS-267", Kind.INVALID_REQUEST, "Too many entries are selected.", "Select at most 100 entries, or the whole list."
)


class Result(NamedTuple):
    id: str
    problem: str


async def do_to_several(
    ctx: RequestContext, screen: Screen, action: Action, frame: Frame, typed: Mapping[str, str]
) -> Response:
    """Reading the page, as after a sign-in, only asks: nothing is done without the form."""
    ids = _ids(typed, "row-")
    done = [Result(id, typed.get(f"why-{at}", "")) for at, id in enumerate(_ids(typed, "did-"))]
    if not ids or len(ids) + len(done) > MOST:
        error = (TOO_MANY if ids else NONE_CHOSEN).error()
        return await show_list(ctx, screen, frame, problem=ctx.text_of(error), status=error.rendering.status)
    async with ctx.keeping(typed, at=f"{address(ctx, screen.path)}/do/{action.word}"):
        ctx.require_recent(action.method)
    asks = action.danger is not Danger.PRESS or ctx.request.method != "POST"
    if "confirmed" not in typed and asks:
        return _page(
            ctx,
            screen,
            action,
            frame,
            "confirm",
            names=ids,
            hidden=_rows(ids),
            problem="",
            type_name="",
            typed_name="",
            sequence="",
            hanging=(),
        )
    gate = asyncio.Semaphore(SIDE_BY_SIDE)

    async def one(id: str) -> Result:
        async with gate:
            return Result(id, await do_one(ctx, screen, action, id))

    done += await asyncio.gather(*(one(id) for id in ids[:_AT_ONCE]))
    left = ids[_AT_ONCE:]
    hidden = {**_rows(left), **_done(done)} if left else {}
    return _page(ctx, screen, action, frame, "results", results=done, count=len(done) + len(left), hidden=hidden)


async def do_one(ctx: RequestContext, screen: Screen, action: Action, id: str) -> str:
    parts = parts_of(ctx) | {screen.part: id}
    try:
        fields = merged(given(ctx, screen, action.method, {screen.part: id}), filled(action.fixed, parts))
        await ctx.api.call(action.method, fields, org=ctx.path.get("org", ""))
    except ServiceError as error:
        if error.kind is Kind.UNAUTHENTICATED:
            raise
        return ctx.text_of(error) or error.id
    return ""


def _ids(typed: Mapping[str, str], prefix: str) -> list[str]:
    numbered = {
        int(number): value
        for name, value in typed.items()
        if name.startswith(prefix) and (number := name.removeprefix(prefix)).isdecimal() and len(number) < 5
    }
    return list(dict.fromkeys(numbered[number] for number in sorted(numbered)))


def _rows(ids: list[str]) -> dict[str, str]:
    return {f"row-{at}": id for at, id in enumerate(ids)}


def _done(results: list[Result]) -> dict[str, str]:
    ids = {f"did-{at}": one.id for at, one in enumerate(results)}
    return ids | {f"why-{at}": one.problem for at, one in enumerate(results) if one.problem}


def _page(ctx: RequestContext, screen: Screen, action: Action, frame: Frame, template: str, **context: Any) -> Response:
    base = address(ctx, screen.path)
    return framed(
        ctx,
        f"screens/{template}.html",
        frame,
        screen.key,
        crumbs=crumbs(ctx, screen, inside=True),
        action=action,
        target=f"{base}/do/{action.word}",
        back=base,
        **context,
    )
