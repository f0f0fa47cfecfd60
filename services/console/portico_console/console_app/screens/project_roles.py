"""The roles of a project as a checklist, whose inputs are ``grant.<project>.<role>``."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.requests import text
from portico_console.management.api import LARGEST_PAGE
from portico_console.request_context import RequestContext

OWN_ROLES: Final = "portico.management.v1.ProjectService/ListProjectRoles"
_GRANTED_ROLES: Final = "portico.management.v1.ProjectGrantService/ListGrantedProjectRoles"


class ProjectRoles(NamedTuple):
    """`project` is its id, with the id of its grant if it is another organization's: ``p1/g1``; `roles` are keys and names."""

    project: str
    name: str
    roles: list[tuple[str, str]]


async def roles_of(ctx: RequestContext, frame: Frame, project: str, org: str) -> list[tuple[str, str]]:
    """Returns keys and names of all roles, which one page can have; without the permission none."""
    id, _, grant = project.partition("/")
    method = _GRANTED_ROLES if grant else OWN_ROLES
    if not frame.may_call(method):
        return []
    fields = {"projectId": id, "query": {"limit": LARGEST_PAGE, "asc": True}, **({"grantId": grant} if grant else {})}
    found = await ctx.api.call(method, fields, org=org)
    return [(one["key"], text(one, "displayName|key")) for one in found.get("result", ())]


def ticked_roles(typed: Collection[str], project: str) -> tuple[str, ...]:
    start = f"grant.{project}."
    return tuple(name.removeprefix(start) for name in typed if name.startswith(start))
