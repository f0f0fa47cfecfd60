"""Grants a user roles of a project: first the project is chosen by its name, then its roles."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any, Final, NamedTuple

from portico_oauth.errors import Kind, ServiceError
from starlette.responses import Response

from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.project_roles import ProjectRoles, roles_of, ticked_roles
from portico_console.console_app.screens.requests import address, text
from portico_console.console_app.screens.table import BY_KEY
from portico_console.console_app.screens.tables.shared import CONTAINS
from portico_console.console_app.users.user_page import MANAGEMENT, ONE, ask
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.request_context import RequestContext

_ADD: Final = f"{MANAGEMENT}.UserGrantService/AddUserGrant"
_PROJECTS: Final = f"{MANAGEMENT}.ProjectService"
_GRANTED: Final = f"{MANAGEMENT}.ProjectGrantService"
_MOST: Final = 100
"""Projects on the page; more are found by their name."""

_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})

GRANTED: Final = message("The roles were granted.")
NO_ROLE: Final = message("Select at least one role.")


UNVERSIONED: Final[dict[str, Any]] = {"sequence": "", "overtaken": False, "stored_now": ()}
"""What the template shows of a form that replaces nothing."""


class Project(NamedTuple):
    """`grant` is the project grant of a project of another organization, `owner` that organization's name."""

    id: str
    grant: str
    name: str
    owner: str = ""

    @property
    def value(self) -> str:
        return f"{self.id}/{self.grant}" if self.grant else self.id


async def show_grant(ctx: RequestContext) -> Response:
    ctx.require_recent(_ADD)
    typed = ctx.typed_before
    if typed is not None:
        return await _roles_page(ctx, await load_frame(ctx), typed.get("project", ""), typed)
    chosen = ctx.request.query_params.get("project", "")
    frame = await load_frame(ctx)
    if chosen:
        return await _roles_page(ctx, frame, chosen)
    return await _shown(ctx, frame, **await find_projects(ctx, frame))


async def grant_roles(ctx: RequestContext) -> Response:
    typed = await ctx.read_form()
    project = typed.get("project", "")
    if not project:
        return ctx.see(f"{address(ctx, ONE)}/grants/do/new")
    keys = ticked_roles(typed, project)
    if not keys:
        return await _roles_page(ctx, await load_frame(ctx), project, typed, problem=ctx.words.gettext(NO_ROLE))
    id, _, grant = project.partition("/")
    fields = {"userId": ctx.path["user"], "projectId": id, "roleKeys": list(keys)}
    try:
        async with ctx.keeping(typed):
            await ctx.api.call(_ADD, {**fields, **({"projectGrantId": grant} if grant else {})}, org=ctx.path["org"])
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        frame = await load_frame(ctx)
        return await _roles_page(ctx, frame, project, typed, ctx.text_of(error), error.rendering.status)
    return await ctx.see_notice(f"{address(ctx, ONE)}/access", GRANTED)


async def find_projects(ctx: RequestContext, frame: Frame) -> dict[str, Any]:
    """Returns what the page shows to choose a project: own and granted ones."""
    words = ctx.request.query_params.get("q", "")[:200]
    own, granted = await asyncio.gather(
        ask(ctx, frame, f"{_PROJECTS}/ListProjects", _page("nameQuery", words)),
        ask(ctx, frame, f"{_GRANTED}/ListGrantedProjects", _page("projectNameQuery", words)),
    )
    projects = [Project(one["id"], "", text(one, "name")) for one in (own or Fields()).get("result", ())]
    projects += [
        Project(one["projectId"], one["grantId"], text(one, "projectName"), text(one, "projectOwnerName"))
        for one in (granted or Fields()).get("result", ())
    ]
    total = sum(int(found.get("details", {}).get("totalResult", 0)) for found in (own, granted) if found is not None)
    searches = total > len(projects) or bool(words)
    return {"project": None, "projects": projects, "words": words, "searches": searches, "total": total}


def _page(query: str, words: str) -> dict[str, Any]:
    named = [{query: {"name": words, "method": CONTAINS}}] if words else []
    return {"query": {"limit": _MOST, "asc": True}, "queries": named}


async def _roles_page(
    ctx: RequestContext, frame: Frame, project: str, typed: Collection[str] = (), problem: str = "", status: int = 0
) -> Response:
    return await _shown(
        ctx,
        frame,
        status=status or (400 if problem else 200),
        problem=problem,
        project=await named_roles(ctx, frame, project),
        typed=typed,
    )


async def named_roles(ctx: RequestContext, frame: Frame, project: str) -> ProjectRoles:
    id, _, grant = project.partition("/")
    fields = {"projectId": id, **({"grantId": grant} if grant else {})}
    one, roles = await asyncio.gather(
        ask(ctx, frame, f"{_GRANTED}/GetGrantedProjectByID" if grant else f"{_PROJECTS}/GetProjectByID", fields),
        roles_of(ctx, frame, project, ctx.path["org"]),
    )
    name = text(one or Fields(), "project.name|grantedProject.projectName") or id
    return ProjectRoles(project, name, roles)


async def _shown(ctx: RequestContext, frame: Frame, *, status: int = 200, **context: Any) -> Response:
    above = await crumbs(ctx, BY_KEY["user-grants"], inside=True)
    base = address(ctx, ONE)
    target, back = f"{base}/grants/do/new", f"{base}/access"
    return framed(
        ctx,
        "users/grant_roles.html",
        frame,
        "users",
        status=status,
        crumbs=above,
        target=target,
        back=back,
        saves=False,
        **UNVERSIONED,
        **context,
    )
