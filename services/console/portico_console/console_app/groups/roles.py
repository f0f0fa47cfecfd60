"""The roles of a group in a project: the project by its name, then its roles as a checklist."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from portico_oauth.errors import Kind, ServiceError
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.project_roles import ticked_roles
from portico_console.console_app.screens.requests import address, text
from portico_console.console_app.screens.table import BY_KEY
from portico_console.console_app.users.grant_roles import NO_ROLE, UNVERSIONED, find_projects, named_roles
from portico_console.forms.differences import Difference, is_overtaken
from portico_console.messages import message
from portico_console.request_context import RequestContext

_ONE: Final = "/orgs/{org}/groups/{group}"
ROLES: Final = f"{_ONE}/roles"
_GROUPS: Final = "portico.management.v1.GroupService"
_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})

_ROLES: Final = message("Roles")
SAVED: Final = message("The roles of the group were saved.")


async def show_roles(ctx: RequestContext) -> Response:
    sequence, held = await _version(ctx), await _held(ctx)
    project = ctx.path.get("project", "") or ctx.request.query_params.get("project", "")
    if not project:
        return await _page(ctx, **await find_projects(ctx, await load_frame(ctx)))
    id = project.partition("/")[0]
    stored = held.get(id, {})
    grant = str(stored.get("projectGrantId", ""))
    project = f"{id}/{grant}" if grant and "/" not in project else project
    ticked = [f"grant.{project}.{key}" for key in stored.get("roleKeys", ())]
    return await _checklist(ctx, project, ticked, sequence=sequence)


async def save_roles(ctx: RequestContext) -> Response:
    """Replaces the roles of the group in the project by the ticked ones, unless the group was changed meanwhile."""
    typed = await ctx.read_form()
    project, sequence = typed.get("project", ""), typed.get("sequence", "")
    if not project:
        return ctx.see(f"{address(ctx, ROLES)}/do/new")
    keys = ticked_roles(typed, project)
    if not keys:
        problem = ctx.words.gettext(NO_ROLE)
        return await _checklist(ctx, project, typed, problem=problem, status=400, sequence=sequence)
    id, _, grant = project.partition("/")
    fields = {"groupId": ctx.path["group"], "projectId": id, "roleKeys": list(keys)}
    headers = {"if-match": f'"{sequence}"'} if sequence.isdecimal() else {}
    try:
        await ctx.api.call(
            f"{_GROUPS}/SetGroupRoles", fields | ({"projectGrantId": grant} if grant else {}), org=ctx.path["org"],
            headers=headers,
        )  # fmt: skip
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await _refused(ctx, project, typed, error)
    return await ctx.see_notice(address(ctx, _ONE), SAVED)


async def _version(ctx: RequestContext) -> str:
    """Read before the roles: a change in between makes the form one that was overtaken."""
    found = await ctx.api.call(f"{_GROUPS}/GetGroup", {"groupId": ctx.path["group"]}, org=ctx.path["org"])
    return text(found, "group.details.sequence")


async def _held(ctx: RequestContext) -> dict[str, Any]:
    found = await ctx.api.call(f"{_GROUPS}/ListGroupRoles", {"groupId": ctx.path["group"]}, org=ctx.path["org"])
    return {str(one["projectId"]): one for one in found.get("result", ())}


async def _refused(ctx: RequestContext, project: str, typed: Parameters, error: ServiceError) -> Response:
    problem, status = ctx.text_of(error), error.rendering.status
    if not is_overtaken(error):
        return await _checklist(ctx, project, typed, problem=problem, status=status, sequence=typed.get("sequence", ""))
    sequence, held = await _version(ctx), await _held(ctx)
    return await _checklist(
        ctx, project, typed, problem=problem, status=status, sequence=sequence, overtaken=True,
        stored=held.get(project.partition("/")[0], {}).get("roleKeys", ()),
    )  # fmt: skip


async def _checklist(
    ctx: RequestContext, project: str, typed: Collection[str], *, stored: Collection[str] = (), **context: Any
) -> Response:
    """`stored` are the roles that the group has now, of a form that was overtaken."""
    shown = await named_roles(ctx, await load_frame(ctx), project)
    if context.get("overtaken") and {*stored} != {*ticked_roles(typed, project)}:
        names = tuple(name for key, name in shown.roles if key in stored)
        context["stored_now"] = [Difference(_ROLES, names)]
    return await _page(ctx, project=shown, typed=typed, **context)


async def _page(ctx: RequestContext, *, status: int = 200, **context: Any) -> Response:
    context = UNVERSIONED | {"problem": ""} | context
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
