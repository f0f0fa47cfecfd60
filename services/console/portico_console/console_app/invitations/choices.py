"""The roles that an invitation can give: one administrator role, and roles of projects."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from portico_console.console_app.invitations.parts import ADD_GRANT, ADD_INSTANCE_MEMBER, ADD_MEMBER
from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.project_roles import OWN_ROLES, ProjectRoles, roles_of
from portico_console.console_app.screens.requests import text
from portico_console.console_app.users.user_page import MANAGEMENT
from portico_console.forms.pickers import ROLES
from portico_console.request_context import RequestContext

_PROJECTS: Final = f"{MANAGEMENT}.ProjectService/ListProjects"
_MOST: Final = 10
"""Projects of the form: the roles of each are a call."""

_FOR_PROGRAMS: Final = frozenset({"IAM_LOGIN_CLIENT", "ORG_USER_SELF_MANAGER"})


def administrator_roles(frame: Frame, *, instance: bool) -> list[tuple[str, str, str]]:
    """Returns keys, names and meanings of the roles that the user may give."""
    prefix, method = ("IAM_", ADD_INSTANCE_MEMBER) if instance else ("ORG_", ADD_MEMBER)
    if not frame.may_call(method):
        return []
    return [(key, *role) for key, role in ROLES.items() if key.startswith(prefix) and key not in _FOR_PROGRAMS]


async def projects_with_roles(ctx: RequestContext, frame: Frame, org: str) -> tuple[list[ProjectRoles], bool]:
    """Returns the first projects that have roles, and whether there are further projects."""
    if not all(map(frame.may_call, (ADD_GRANT, _PROJECTS, OWN_ROLES))):
        return [], False
    found = await ctx.api.call(_PROJECTS, {"query": {"limit": _MOST, "asc": True}}, org=org)
    rows: list[dict[str, Any]] = found.get("result", [])
    roles = await asyncio.gather(*(roles_of(ctx, frame, one["id"], org) for one in rows))
    projects = [ProjectRoles(one["id"], text(one, "name"), two) for one, two in zip(rows, roles, strict=True) if two]
    return projects, int(found["details"].get("totalResult", 0)) > len(rows)
