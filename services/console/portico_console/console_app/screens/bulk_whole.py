"""An action on a whole list: its ids are read once, and the page carries those that are left.

The ids are one field of the form. Of the results, the number and the first hundred errors are carried along.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple
from urllib.parse import quote, unquote

from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.bulk import NONE_CHOSEN, SIDE_BY_SIDE, do_one
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.lists import MOST_SELECTED, show_list
from portico_console.console_app.screens.paging import asked_by
from portico_console.console_app.screens.reading import read_rows
from portico_console.console_app.screens.requests import address, text
from portico_console.console_app.screens.screen import Action, Screen
from portico_console.request_context import RequestContext

_AT_ONCE: Final = 40
"""Calls per page load, after which progress is shown."""

_MOST_ERRORS: Final = 100


class Failed(NamedTuple):
    id: str
    problem: str
    href: str


async def do_to_whole(ctx: RequestContext, screen: Screen, action: Action, frame: Frame, typed: Parameters) -> Response:
    if "confirmed" not in typed:
        ids = await _ids(ctx, screen, frame)
        if not ids:
            error = NONE_CHOSEN.error()
            return await show_list(ctx, screen, frame, problem=ctx.text_of(error), status=error.rendering.status)
        return _page(ctx, screen, action, frame, "whole_confirm", count=len(ids), left=_joined(ids))
    ids = _split(typed.get("left", ""))[:MOST_SELECTED]
    gate = asyncio.Semaphore(SIDE_BY_SIDE)

    async def one(id: str) -> tuple[str, str]:
        async with gate:
            return id, await do_one(ctx, screen, action, id)

    results = await asyncio.gather(*(one(id) for id in ids[:_AT_ONCE]))
    refused = [(id, problem) for id, problem in results if problem]
    errors = [*_errors(typed.get("refused", "")), *refused][:_MOST_ERRORS]
    left = ids[_AT_ONCE:]
    return _page(
        ctx, screen, action, frame, "whole_results",
        count=_number(typed, "done") + len(results) + len(left),
        done=_number(typed, "done") + len(results),
        failed=_number(typed, "failed") + len(refused),
        left=_joined(left),
        refused=_joined([part for one in errors for part in one]),
        errors=[Failed(*one, address(ctx, screen.object_path, {screen.part: one[0]})) for one in errors],
    )  # fmt: skip


async def _ids(ctx: RequestContext, screen: Screen, frame: Frame) -> list[str]:
    listing = screen.listing
    if listing is None or not frame.may_call(listing.method):
        return []
    found = await read_rows(ctx, screen, asked_by({**ctx.request.query_params, "page": "1"}, listing), MOST_SELECTED)
    return [text(one, listing.id) for one in found.rows]


def _joined(texts: list[str]) -> str:
    return " ".join(quote(one, safe="") for one in texts)


def _split(text: str) -> list[str]:
    return [unquote(one) for one in text.split()]


def _errors(text: str) -> list[tuple[str, str]]:
    parts = _split(text)
    return list(zip(parts[::2], parts[1::2], strict=False))


def _number(typed: Parameters, name: str) -> int:
    text = typed.get(name, "")
    return min(int(text), MOST_SELECTED) if text.isascii() and text.isdecimal() and len(text) < 6 else 0


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
