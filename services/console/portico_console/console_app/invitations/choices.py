"""What an invitation can give: one administrator role, roles of projects, and an application to open afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from portico_oauth.redirect_uris import start_address

from portico_console.console_app.invitations.parts import ADD_GRANT, ADD_INSTANCE_MEMBER, ADD_MEMBER
from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.project_roles import OWN_ROLES, ProjectRoles, roles_of
from portico_console.console_app.screens.requests import text
from portico_console.console_app.users.user_page import MANAGEMENT
from portico_console.forms.pickers import ROLES
from portico_console.management.api import LARGEST_PAGE
from portico_console.request_context import RequestContext

_PROJECTS: Final = f"{MANAGEMENT}.ProjectService/ListProjects"
_APPS: Final = f"{MANAGEMENT}.AppService/ListApps"
_MOST: Final = 10
"""Projects of the form: the roles and the applications of each are two calls."""

_FOR_PROGRAMS: Final = frozenset({"IAM_LOGIN_CLIENT", "ORG_USER_SELF_MANAGER"})


def administrator_roles(frame: Frame, *, instance: bool) -> list[tuple[str, str, str]]:
    """Returns keys, names and meanings of the roles that the user may give."""
    prefix, method = ("IAM_", ADD_INSTANCE_MEMBER) if instance else ("ORG_", ADD_MEMBER)
    if not frame.may_call(method):
        return []
    return [(key, *role) for key, role in ROLES.items() if key.startswith(prefix) and key not in _FOR_PROGRAMS]


class Offers(NamedTuple):
    """Projects with roles, ids and names of applications to open afterwards, and whether there are further projects."""

    projects: Sequence[ProjectRoles] = ()
    apps: Sequence[tuple[str, str]] = ()
    more: bool = False


async def load_offers(ctx: RequestContext, frame: Frame, org: str) -> Offers:
    may_grant, may_open = all(map(frame.may_call, (ADD_GRANT, OWN_ROLES))), frame.may_call(_APPS)
    if not frame.may_call(_PROJECTS) or not (may_grant or may_open):
        return Offers()
    found = await ctx.api.call(_PROJECTS, {"query": {"limit": _MOST, "asc": True}}, org=org)
    rows: list[dict[str, Any]] = found.get("result", [])
    roles, apps = await asyncio.gather(
        asyncio.gather(*(roles_of(ctx, frame, one["id"], org) for one in rows if may_grant)),
        asyncio.gather(*(_apps_of(ctx, one["id"], org) for one in rows if may_open)),
    )
    projects = [ProjectRoles(one["id"], text(one, "name"), two) for one, two in zip(rows, roles, strict=False) if two]
    more = int(found["details"].get("totalResult", 0)) > len(rows)
    return Offers(projects, list(chain.from_iterable(apps)), more)


async def _apps_of(ctx: RequestContext, project: str, org: str) -> list[tuple[str, str]]:
    found = await ctx.api.call(_APPS, {"projectId": project, "query": {"limit": LARGEST_PAGE, "asc": True}}, org=org)
    return [(one["id"], text(one, "name")) for one in found.get("result", ()) if _has_start_page(one)]


def _has_start_page(app: Mapping[str, Any]) -> bool:
    redirect_uris = (app.get("oidcConfig") or {}).get("redirectUris", ())
    return not str(app["state"]).endswith("_INACTIVE") and bool(start_address(redirect_uris))
