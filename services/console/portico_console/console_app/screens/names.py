"""Names for ids: of the objects above a page, and of projects, organizations and users that an object refers to."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from portico_oauth.errors import Kind, ServiceError

from portico_console.console_app.screens.requests import find, given, text
from portico_console.console_app.screens.screen import Screen
from portico_console.request_context import RequestContext

_SIDE_BY_SIDE: Final = 8
_UNKNOWN: Final = frozenset({Kind.NOT_FOUND, Kind.PERMISSION_DENIED, Kind.INVALID_REQUEST})


class _Named(NamedTuple):
    """`field` is the name in the request; empty if the id is the organization of the call."""

    method: str
    field: str
    name: str


_METHODS: Final = {
    "orgId": _Named("portico.management.v1.OrganizationService/GetMyOrg", "", "org.name"),
    "groupId": _Named("portico.management.v1.GroupService/GetGroup", "groupId", "group.name"),
    "projectId": _Named("portico.management.v1.ProjectService/GetProjectByID", "projectId", "project.name"),
    "userId": _Named(
        "portico.user.v2.UserService/GetUserByID", "userId", "user.human.profile.displayName|user.machine.name|user.username"
    ),
}  # fmt: skip


async def name_of(ctx: RequestContext, field: str, id: str, org: str = "") -> str:
    """Returns the name of an ``orgId``, ``groupId``, ``projectId`` or ``userId``; the id of an unknown one."""
    named = _METHODS[field]
    fields = {named.field: id} if named.field else {}
    return await _read(ctx, named.method, fields, named.name, org if named.field else id) or id


async def name_of_app(ctx: RequestContext, org: str, project: str, app: str) -> str:
    fields = {"projectId": project, "appId": app}
    return await _read(ctx, "portico.management.v1.AppService/GetAppByID", fields, "app.name", org) or app


async def name_above(ctx: RequestContext, screen: Screen, id: str) -> str:
    """Returns the name of the object of another screen that is in the URL."""
    getting = screen.getting
    if getting is None or not screen.name:
        return id
    fields = given(ctx, screen, getting.method)
    path = "|".join(f"{getting.object}.{one}" for one in screen.name.split("|"))
    return await _read(ctx, getting.method, fields, path, ctx.path.get("org", "")) or id


async def add_names(ctx: RequestContext, fields: Sequence[str], things: Sequence[Any]) -> None:
    """Adds ``projectName`` for each ``projectId``, once for each id and side by side."""
    gate = asyncio.Semaphore(_SIDE_BY_SIDE)

    async def read(field: str, id: str) -> str:
        async with gate:
            return await name_of(ctx, field, id, ctx.path.get("org", ""))

    wanted = list({(field, id): None for field in fields for one in things if (id := text(one, field))})
    found = dict(zip(wanted, await asyncio.gather(*(read(*one) for one in wanted)), strict=True))
    for field in fields:
        for one in things:
            if id := text(one, field):
                one[f"{field.removesuffix('Id')}Name"] = found[field, id]


async def _read(ctx: RequestContext, method: str, fields: Mapping[str, str], path: str, org: str) -> str:
    try:
        found = find(await ctx.api.call(method, fields, org=org), path)
    except ServiceError as error:
        if error.kind not in _UNKNOWN:
            raise
        return ""
    return found if isinstance(found, str) else ""
