"""The filters of the list of users that have a value: a group, and a role of a project."""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from starlette.responses import Response

from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.paging import asked_by, query_of
from portico_console.console_app.screens.project_roles import roles_of
from portico_console.console_app.screens.requests import address, text
from portico_console.console_app.screens.table import BY_KEY
from portico_console.console_app.users.grant_roles import find_projects
from portico_console.management.api import LARGEST_PAGE
from portico_console.request_context import RequestContext

_GROUPS: Final = "portico.management.v1.GroupService/ListGroups"
_MOST_PROJECTS: Final = 30
"""Projects whose roles are offered; each takes a call."""


class Roles(NamedTuple):
    """`roles` are values of the filter, and names."""

    project: str
    roles: list[tuple[str, str]]


async def show_filter(ctx: RequestContext) -> Response:
    """A form that opens the list; it keeps search, order and the other filters of the list it came from."""
    frame, screen = await load_frame(ctx), BY_KEY["users"]
    listing = screen.listing
    if listing is None:
        return ctx.see(address(ctx, screen.path))
    asked = asked_by(ctx.request.query_params, listing)
    kept = query_of(asked, listing, **{one.word: "" for one in listing.narrowings})
    groups, roles = await asyncio.gather(_groups(ctx, frame), _roles(ctx, frame))
    return framed(
        ctx,
        "users/filter.html",
        frame,
        screen.key,
        crumbs=await crumbs(ctx, screen, inside=True),
        groups_of=groups,
        roles_of=roles,
        chosen={one.by.word: one.value for one in asked.narrowed},
        hidden=dict(parse_qsl(kept)),
        target=address(ctx, screen.path),
    )


async def _groups(ctx: RequestContext, frame: Frame) -> list[tuple[str, str]]:
    if not frame.may_call(_GROUPS):
        return []
    found = await ctx.api.call(_GROUPS, {"query": {"limit": LARGEST_PAGE, "asc": True}}, org=ctx.path["org"])
    return [(one["id"], text(one, "name")) for one in found.get("result", ())]


async def _roles(ctx: RequestContext, frame: Frame) -> list[Roles]:
    projects = (await find_projects(ctx, frame))["projects"][:_MOST_PROJECTS]
    found = await asyncio.gather(*(roles_of(ctx, frame, one.value, ctx.path["org"]) for one in projects))
    return [
        Roles(one.name, [(f"{one.id}/{key}", name) for key, name in roles])
        for one, roles in zip(projects, found, strict=True)
        if roles
    ]
