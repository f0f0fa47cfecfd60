"""Groups and roles of a file by their names: what a cell adds to a user, and what it takes away."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final, NamedTuple

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.project_roles import roles_of
from portico_console.console_app.screens.requests import text
from portico_console.console_app.users.grant_roles import find_projects
from portico_console.management.api import LARGEST_PAGE
from portico_console.messages import message
from portico_console.request_context import RequestContext

_GROUPS: Final = "portico.management.v1.GroupService/ListGroups"

NO_GROUP: Final = message("There is no group %(name)s.")
NO_ROLE: Final = message("There is no role %(name)s. Write it as Project: role.")


class Role(NamedTuple):
    """`grant` is the project grant of a project of another organization."""

    project: str
    grant: str
    key: str
    title: str


class Places(NamedTuple):
    """By folded name and by id: ids and names of groups, and roles as ``project:role``."""

    groups: Mapping[str, tuple[str, str]]
    roles: Mapping[str, Role]


class Part(NamedTuple):
    name: str
    removes: bool


def parts_of(cell: str) -> list[Part]:
    """Reads ``Sales; -Interns``: a minus takes away."""
    names = [one.strip() for one in cell.split(";") if one.strip()]
    return [Part(one.removeprefix("-").strip(), one.startswith("-")) for one in names]


def folded(name: str) -> str:
    return ":".join(one.strip() for one in name.casefold().split(":"))


async def load_places(ctx: RequestContext, frame: Frame, *, groups: bool, roles: bool) -> Places:
    return Places(await _groups(ctx) if groups else {}, await _roles(ctx, frame) if roles else {})


async def _groups(ctx: RequestContext) -> dict[str, tuple[str, str]]:
    found = await ctx.api.call(_GROUPS, {"query": {"limit": LARGEST_PAGE, "asc": True}}, org=ctx.path["org"])
    rows = [(str(one["id"]), text(one, "name")) for one in found.get("result", ())]
    return {key: (id, name) for id, name in rows for key in (id, folded(name))}


async def _roles(ctx: RequestContext, frame: Frame) -> dict[str, Role]:
    projects = (await find_projects(ctx, frame))["projects"]
    listed = await asyncio.gather(*(roles_of(ctx, frame, one.value, ctx.path["org"]) for one in projects))
    found: dict[str, Role] = {}
    for project, roles in zip(projects, listed, strict=True):
        for key, name in roles:
            role = Role(project.id, project.grant, key, f"{project.name}: {name}")
            for place in (project.name, project.id):
                found |= {folded(f"{place}:{one}"): role for one in (key, name)}
    return found
