"""The roles of a group in a project: the project by its name, then its roles as a checklist."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from portico_oauth.errors import Kind, ServiceError
from starlette.responses import Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.project_roles import ticked_roles
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.table import BY_KEY
from portico_console.console_app.users.grant_roles import NO_ROLE, find_projects, named_roles
from portico_console.messages import message
from portico_console.request_context import RequestContext

_ONE: Final = "/orgs/{org}/groups/{group}"
ROLES: Final = f"{_ONE}/roles"
_GROUPS: Final = "portico.management.v1.GroupService"
_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})

SAVED: Final = message("The roles of the group were saved.")


async def show_roles(ctx: RequestContext) -> Response:
    held = await _held(ctx)
    project = ctx.path.get("project", "") or ctx.request.query_params.get("project", "")
    if not project:
        return await _page(ctx, **await find_projects(ctx, await load_frame(ctx)))
    id = project.partition("/")[0]
    stored = held.get(id, {})
    grant = str(stored.get("projectGrantId", ""))
    project = f"{id}/{grant}" if grant and "/" not in project else project
    return await _checklist(ctx, project, [f"grant.{project}.{key}" for key in stored.get("roleKeys", ())])


async def save_roles(ctx: RequestContext) -> Response:
    """Replaces the roles of the group in the project by the ticked ones."""
    typed = await ctx.read_form()
    project = typed.get("project", "")
    if not project:
        return ctx.see(f"{address(ctx, ROLES)}/do/new")
    keys = ticked_roles(typed, project)
    if not keys:
        return await _checklist(ctx, project, typed, ctx.words.gettext(NO_ROLE), 400)
    id, _, grant = project.partition("/")
    fields = {"groupId": ctx.path["group"], "projectId": id, "roleKeys": list(keys)}
    try:
        await ctx.api.call(
            f"{_GROUPS}/SetGroupRoles", fields | ({"projectGrantId": grant} if grant else {}), org=ctx.path["org"]
        )
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await _checklist(ctx, project, typed, ctx.text_of(error), error.rendering.status)
    return await ctx.see_notice(address(ctx, _ONE), SAVED)


async def _held(ctx: RequestContext) -> dict[str, Any]:
    found = await ctx.api.call(f"{_GROUPS}/ListGroupRoles", {"groupId": ctx.path["group"]}, org=ctx.path["org"])
    return {str(one["projectId"]): one for one in found.get("result", ())}


async def _checklist(
    ctx: RequestContext, project: str, typed: Collection[str], problem: str = "", status: int = 200
) -> Response:
    shown = await named_roles(ctx, await load_frame(ctx), project)
    return await _page(ctx, status=status, problem=problem, project=shown, typed=typed)


async def _page(ctx: RequestContext, *, status: int = 200, **context: Any) -> Response:
    return framed(
        ctx,
        "users/grant_roles.html",
        await load_frame(ctx),
        "groups",
        status=status,
        crumbs=await crumbs(ctx, BY_KEY["group-roles"], inside=True),
        target=f"{address(ctx, ROLES)}/do/new",
        back=address(ctx, _ONE),
        saves=True,
        **context,
    )
