"""Adds many users to a group in one form: those that are ticked, of the first hundred or of a search."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from portico_oauth.errors import Kind, ServiceError
from portico_oauth.typed_text import trimmed
from starlette.responses import Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.paging import Asked
from portico_console.console_app.screens.reading import read_rows, read_some
from portico_console.console_app.screens.requests import address, text
from portico_console.console_app.screens.table import BY_KEY
from portico_console.messages import message
from portico_console.request_context import RequestContext

MEMBERS: Final = "/orgs/{org}/groups/{group}/members"
_ADD: Final = "portico.management.v1.GroupService/AddGroupMember"
_ROW: Final = "user-"
_MOST: Final = 100
_SIDE_BY_SIDE: Final = 4
_MAX_WORDS: Final = 200

ADDED: Final = message("%(count)s users were added to the group.")
ONE_ADDED: Final = message("%(name)s was added to the group.")
NONE_TICKED: Final = message("Select at least one user.")


class Row(NamedTuple):
    id: str
    name: str
    address: str
    ticked: bool = False
    problem: str = ""


async def show_people(ctx: RequestContext) -> Response:
    return await _page(ctx, ctx.request.query_params.get("q", ""), ())


async def add_members(ctx: RequestContext) -> Response:
    """The button of the search keeps what is ticked. Of those that cannot be added, the page shows why."""
    typed = await ctx.read_form()
    ids = _ticked(typed)
    if "find" in typed:
        return await _page(ctx, typed.get("q", ""), ids)
    if not ids:
        return await _page(ctx, typed.get("q", ""), (), problem=ctx.words.gettext(NONE_TICKED), status=400)
    problems = dict(zip(ids, await _add_all(ctx, ids), strict=True))
    refused = {id: problem for id, problem in problems.items() if problem}
    if refused:
        return await _page(ctx, typed.get("q", ""), list(refused), refused=refused, status=400)
    return await _see_added(ctx, ids)


async def _see_added(ctx: RequestContext, ids: Sequence[str]) -> Response:
    group = address(ctx, "/orgs/{org}/groups/{group}")
    if len(ids) > 1:
        return await ctx.see_notice(group, ADDED, count=str(len(ids)))
    return await ctx.see_notice(group, ONE_ADDED, name=(await _named(ctx, ids))[0].name)


def _ticked(typed: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(name.removeprefix(_ROW) for name in typed if name.startswith(_ROW)))


async def _add_all(ctx: RequestContext, ids: Sequence[str]) -> list[str]:
    gate = asyncio.Semaphore(_SIDE_BY_SIDE)

    async def add(id: str) -> str:
        async with gate:
            try:
                await ctx.api.call(_ADD, {"groupId": ctx.path["group"], "userId": id}, org=ctx.path["org"])
            except ServiceError as error:
                if error.kind is Kind.UNAUTHENTICATED:
                    raise
                return "" if error.kind is Kind.ALREADY_EXISTS else ctx.text_of(error)
            return ""

    return await asyncio.gather(*(add(id) for id in ids))


async def _named(ctx: RequestContext, ids: Sequence[str]) -> list[Row]:
    found = await read_some(ctx, BY_KEY["users"], list(ids)) if ids else {}
    return [_person(id, found.get(id, {}), ticked=True) for id in ids]


def _person(id: str, user: object, *, ticked: bool) -> Row:
    screen = BY_KEY["users"]
    name = text(user, screen.name) or id
    beside = text(user, screen.address)
    return Row(id, name, beside if beside != name else "", ticked)


async def _page(
    ctx: RequestContext,
    words: str,
    ids: Sequence[str],
    *,
    problem: str = "",
    refused: Mapping[str, str] | None = None,
    status: int = 200,
) -> Response:
    frame, screen = await load_frame(ctx), BY_KEY["users"]
    listing, words = screen.listing, trimmed(words)[:_MAX_WORDS]
    people = await _named(ctx, ids)
    total = 0
    if listing is not None and frame.may_call(listing.method):
        found = await read_rows(ctx, screen, Asked(words, listing.searches[0], size=_MOST), _MOST)
        total = found.total
        people += [
            _person(text(one, listing.id), one, ticked=False) for one in found.rows if text(one, listing.id) not in ids
        ]
    return framed(
        ctx,
        "groups/add_members.html",
        frame,
        "groups",
        status=status,
        crumbs=await crumbs(ctx, BY_KEY["group-members"], inside=True),
        people=[one._replace(problem=(refused or {}).get(one.id, "")) for one in people],
        problem=problem,
        refused=len(refused or {}),
        words=words,
        total=total,
        target=f"{address(ctx, MEMBERS)}/do/new",
        back=address(ctx, "/orgs/{org}/groups/{group}"),
    )
