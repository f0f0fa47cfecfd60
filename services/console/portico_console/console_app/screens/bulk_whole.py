"""An action on a whole list: its ids are read once, and the page carries those that are left.

The ids are one field of the form. Of the results, the number and the first hundred errors are carried along.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

from portico_oauth.errors import ServiceError
from portico_oauth.typed_text import trimmed
from starlette.responses import Response

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.bulk import (
    NONE_CHOSEN,
    OTHER_TEXT,
    SIDE_BY_SIDE,
    Item,
    Job,
    do_one,
    linked,
    onward_of,
    page_of,
    target_of,
    title_of,
    with_names,
)
from portico_console.console_app.screens.bulk_fields import NOTHING_CHOSEN, Chosen, chosen_for
from portico_console.console_app.screens.lists import MOST_SELECTED, show_list
from portico_console.console_app.screens.paging import asked_by
from portico_console.console_app.screens.reading import read_rows
from portico_console.console_app.screens.requests import text
from portico_console.console_app.screens.screen import Action, Danger, Screen
from portico_console.request_context import RequestContext

_AT_ONCE: Final = 40
"""Calls per page load, after which progress is shown."""

_MOST_ERRORS: Final = 100

_MOST_CARRIED: Final = 40_000
"""Bytes of the refused entries in a form, in addition to a thousand ids."""

_CARRIED: Final = ("id", "name", "address", "problem")
"""Fields of a refused entry in the form."""


class Progress(NamedTuple):
    """`errors` are the refused entries, at most a hundred."""

    done: int
    failed: int
    errors: list[Item]


async def do_to_whole(
    ctx: RequestContext, screen: Screen, action: Action, frame: Frame, typed: Mapping[str, str]
) -> Response:
    """Reading the page, as after a sign-in, only asks: nothing is done without the form."""
    job = Job(ctx, screen, action, frame)
    ids = (_split(typed.get("left", "")) or await _ids(ctx, screen, frame))[:MOST_SELECTED]
    if not ids:
        error = NONE_CHOSEN.error()
        return await show_list(ctx, screen, frame, problem=ctx.text_of(error), status=error.rendering.status)
    before = Progress(_number(typed, "done"), _number(typed, "failed"), _errors(typed.get("refused", "")))
    hidden = _hidden(ids, before)
    async with ctx.keeping({**typed, **hidden}, at=target_of(job)):
        ctx.require_recent(action.method)
    chosen = await chosen_for(ctx, screen, action, frame, typed)
    if "confirmed" not in typed or ctx.request.method != "POST" or not chosen.is_complete:
        return await _confirmation(job, len(ids), hidden, chosen=chosen)
    is_new = action.danger is Danger.TYPE_NAME and not before.done
    if is_new and trimmed(typed.get("typed_name", "")) != str(len(ids)):
        return await _confirmation(job, len(ids), hidden, OTHER_TEXT.error())
    return await _proceed(job, ids, before, chosen)


async def _confirmation(
    job: Job,
    count: int,
    hidden: dict[str, str],
    error: ServiceError | None = None,
    *,
    chosen: Chosen = NOTHING_CHOSEN,
) -> Response:
    typed = job.action.danger is Danger.TYPE_NAME and hidden["done"] == "0"
    return await page_of(
        job, "confirm", status=error.rendering.status if error else 200, title=title_of(job, count), of_name="", names=[], hidden=hidden | chosen.carried, fields=chosen.fields, has_more=chosen.has_more,
        problem=job.ctx.text_of(error) if error else chosen.problem, type_name="", type_count=str(count) if typed else "",
        typed_name="", sequence="", hanging=(),
    )  # fmt: skip


async def _proceed(job: Job, ids: list[str], before: Progress, chosen: Chosen) -> Response:
    gate = asyncio.Semaphore(SIDE_BY_SIDE)

    async def one(id: str) -> Item:
        async with gate:
            return Item(id, "", problem=await do_one(job, id, chosen.message))

    results = await asyncio.gather(*(one(id) for id in ids[:_AT_ONCE]))
    refused = await _named(job, [item for item in results if item.problem])
    errors = _fitting([*before.errors, *refused])
    now, left = Progress(before.done + len(results), before.failed + len(refused), errors), ids[_AT_ONCE:]
    return await page_of(
        job, "whole_results", title=title_of(job, now.done + len(left)), progress=now, count=now.done + len(left),
        hidden=_hidden(left, now) | chosen.carried if left else {},
        errors=[linked(job, item) for item in errors], onward=onward_of(job, chosen),
    )  # fmt: skip


async def _named(job: Job, refused: list[Item]) -> list[Item]:
    """Without names where they cannot be read, because what was done must be shown."""
    try:
        return await with_names(job, refused) if refused else []
    except ServiceError:
        return [item._replace(name=item.id) for item in refused]


def _hidden(left: list[str], progress: Progress) -> dict[str, str]:
    return {
        "whole": "1",
        "left": _joined(left),
        "done": str(progress.done),
        "failed": str(progress.failed),
        "refused": _joined([part for one in progress.errors for part in one[: len(_CARRIED)]]),
    }


async def _ids(ctx: RequestContext, screen: Screen, frame: Frame) -> list[str]:
    listing = screen.listing
    if listing is None or not frame.may_call(listing.method):
        return []
    found = await read_rows(ctx, screen, asked_by({**ctx.request.query_params, "page": "1"}, listing), MOST_SELECTED)
    return [text(one, listing.id) for one in found.rows]


def _joined(texts: Sequence[str]) -> str:
    return " ".join(quote(one, safe="") for one in texts)


def _split(text: str) -> list[str]:
    return [unquote(one) for one in text.split(" ")] if text else []


def _fitting(errors: list[Item]) -> list[Item]:
    sizes = accumulate(len(quote(_joined(one[: len(_CARRIED)]))) for one in errors)
    return [one for one, size in zip(errors, sizes, strict=True) if size <= _MOST_CARRIED][:_MOST_ERRORS]


def _errors(text: str) -> list[Item]:
    parts, size = _split(text), len(_CARRIED)
    return [Item(*parts[at : at + size]) for at in range(0, len(parts) - size + 1, size)]


def _number(typed: Mapping[str, str], name: str) -> int:
    text = typed.get(name, "")
    return min(int(text), MOST_SELECTED) if text.isascii() and text.isdecimal() and len(text) < 6 else 0
