"""Bulk actions: one call per row; the page carries the remaining rows, so it needs no script and survives a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.typed_text import trimmed
from starlette.responses import Response

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.bulk_fields import NOTHING_CHOSEN, Chosen, chosen_for
from portico_console.console_app.screens.choices import reverse_of
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.lists import show_list
from portico_console.console_app.screens.reading import read_some
from portico_console.console_app.screens.requests import address, filled, given, merged, text
from portico_console.console_app.screens.screen import Action, Danger, Screen
from portico_console.management.diagnostics import NotRecent
from portico_console.messages import SIGN_IN_AGAIN
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
OTHER_TEXT = ErrorCode("CONS-265", Kind.INVALID_REQUEST, "The text does not match.", "Type it exactly as it is shown.")


class Item(NamedTuple):
    """A selected row; `problem` is why its action was refused."""

    id: str
    name: str
    address: str = ""
    problem: str = ""
    href: str = ""


class Job(NamedTuple):
    ctx: RequestContext
    screen: Screen
    action: Action
    frame: Frame


async def do_to_several(
    ctx: RequestContext, screen: Screen, action: Action, frame: Frame, typed: Mapping[str, str]
) -> Response:
    """Reading the page, as after a sign-in, only asks: nothing is done without the form."""
    job = Job(ctx, screen, action, frame)
    left, done = _items(typed, "row"), _items(typed, "did")
    if not left or len(left) + len(done) > MOST:
        error = (TOO_MANY if left else NONE_CHOSEN).error()
        return await show_list(ctx, screen, frame, problem=ctx.text_of(error), status=error.rendering.status)
    async with ctx.keeping(typed, at=target_of(job)):
        ctx.require_recent(action.method)
    left = await with_names(job, left)
    chosen = await chosen_for(ctx, screen, action, frame, typed)
    asks = action.danger is not Danger.PRESS or ctx.request.method != "POST" or not chosen.is_complete
    if ("confirmed" not in typed or not chosen.is_complete) and asks:
        return await _confirmation(job, left, done, chosen=chosen)
    if action.danger is Danger.TYPE_NAME and not done and trimmed(typed.get("typed_name", "")) != _to_type(left):
        return await _confirmation(job, left, done, OTHER_TEXT.error())
    gate = asyncio.Semaphore(SIDE_BY_SIDE)

    async def one(item: Item) -> Item:
        async with gate:
            return item._replace(problem=await do_one(job, item.id, chosen.message))

    done += await asyncio.gather(*(one(item) for item in left[:_AT_ONCE]))
    left = left[_AT_ONCE:]
    return await page_of(
        job,
        "results",
        title=title_of(job, len(done) + len(left)),
        results=[linked(job, item) for item in done],
        count=len(done) + len(left),
        hidden=_hidden(left, done) | chosen.carried if left else {},
        undo=_undo(job, done) if not left else {},
        undo_target=f"{address(ctx, screen.path)}/do/{action.undo}",
        onward=onward_of(job, chosen),
    )


async def with_names(job: Job, items: list[Item]) -> list[Item]:
    """Adds names, which a list does not send; a row that no longer exists keeps its id."""
    if all(item.name for item in items):
        return items
    found = await read_some(job.ctx, job.screen, [item.id for item in items])
    screen = job.screen
    named = []
    for item in items:
        thing = found.get(item.id, {})
        name = text(thing, screen.name) or item.id
        beside = text(thing, screen.address) if screen.address else ""
        named.append(item._replace(name=name, address=beside if beside != name else ""))
    return named


async def do_one(job: Job, id: str, message: Mapping[str, Any]) -> str:
    """Returns why it was refused; empty if it was done."""
    ctx, screen, action = job.ctx, job.screen, job.action
    parts = ctx.path | {screen.part: id}
    fields = merged(given(ctx, screen, action.method, {screen.part: id}), filled(action.fixed, parts), message)
    try:
        await _call(ctx, action, fields)
    except NotRecent:  # others may be done already
        return ctx.words.gettext(SIGN_IN_AGAIN)
    except ServiceError as error:
        if error.kind is Kind.UNAUTHENTICATED:
            raise
        return ctx.text_of(error) or error.id
    return ""


async def _call(ctx: RequestContext, action: Action, fields: Mapping[str, Any]) -> None:
    try:
        await ctx.api.call(action.method, fields, org=ctx.path.get("org", ""))
    except ServiceError as error:
        if error.kind is not Kind.ALREADY_EXISTS or action.already is None:
            raise
        await action.already(ctx, fields)


def _items(typed: Mapping[str, str], prefix: str) -> list[Item]:
    found: dict[str, Item] = {}
    for at in range(1000):
        if id := typed.get(f"{prefix}-{at}", ""):
            name, beside, why = (typed.get(f"{prefix}-{at}-{part}", "") for part in ("name", "address", "problem"))
            found.setdefault(id, Item(id, name, beside, why))
    return list(found.values())


def _hidden(left: list[Item], done: list[Item]) -> dict[str, str]:
    found: dict[str, str] = {}
    for prefix, items in (("row", left), ("did", done)):
        for at, item in enumerate(items):
            found |= {
                f"{prefix}-{at}": item.id,
                f"{prefix}-{at}-name": item.name,
                f"{prefix}-{at}-address": item.address,
                f"{prefix}-{at}-problem": item.problem,
            }
    return {name: value for name, value in found.items() if value}


def linked(job: Job, item: Item) -> Item:
    """Links the page of a row, unless it was removed."""
    if job.action.word == "remove" and not item.problem:
        return item
    return item._replace(href=address(job.ctx, job.screen.object_path, {job.screen.part: item.id}))


def onward_of(job: Job, chosen: Chosen) -> tuple[str, str]:
    """Returns the URL of the page that the results link, and the words of the link; empty without one."""
    path, words = job.action.onward
    parts = {name: value for name, value in chosen.message.items() if isinstance(value, str)}
    return (address(job.ctx, path, parts), words) if path else ("", "")


def _undo(job: Job, done: list[Item]) -> dict[str, str]:
    """Returns the rows that the reverse action is sent for: those that were changed."""
    back = reverse_of(job.screen, job.action)
    if back is None or not back.bulk or not job.frame.may_call(back.method):
        return {}
    return _hidden([item for item in done if not item.problem], [])


def title_of(job: Job, count: int) -> tuple[str, int]:
    return (job.action.bulk, count) if count > 1 else (job.action.title, count)


def _to_type(items: list[Item]) -> str:
    """Returns what confirms a deletion: the name, or the number of several."""
    return items[0].name if len(items) == 1 else str(len(items))


def target_of(job: Job) -> str:
    return f"{address(job.ctx, job.screen.path)}/do/{job.action.word}"


async def _confirmation(
    job: Job, left: list[Item], done: list[Item], error: ServiceError | None = None, *, chosen: Chosen = NOTHING_CHOSEN
) -> Response:
    count = len(left) + len(done)
    typed = job.action.danger is Danger.TYPE_NAME and not done
    return await page_of(
        job,
        "confirm",
        status=error.rendering.status if error else 200,
        title=title_of(job, count),
        of_name=left[0].name if count == 1 and left else "",
        names=[linked(job, item) for item in left],
        hidden=_hidden(left, done) | chosen.carried,
        fields=chosen.fields,
        has_more=chosen.has_more,
        problem=job.ctx.text_of(error) if error else chosen.problem,
        type_name=_to_type(left) if typed and count == 1 else "",
        type_count=_to_type(left) if typed and count > 1 else "",
        typed_name="",
        sequence="",
        hanging=(),
    )


async def page_of(job: Job, template: str, *, status: int = 200, **context: Any) -> Response:
    base = address(job.ctx, job.screen.path)
    return framed(
        job.ctx,
        f"screens/{template}.html",
        job.frame,
        job.screen.key,
        status=status,
        crumbs=await crumbs(job.ctx, job.screen, inside=True),
        action=job.action,
        target=target_of(job),
        back=base,
        **context,
    )
