from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple

from portico_oauth.errors import Kind, ServiceError
from starlette.responses import Response

from portico_console.allowed_scopes import shown_allowed
from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.requests import address, text
from portico_console.console_app.users.user_page import MANAGEMENT, ONE, ask, load_user, user_page
from portico_console.forms.words import word
from portico_console.management.api import LARGEST_PAGE, Fields
from portico_console.request_context import RequestContext, segment

_GRANTS: Final = f"{MANAGEMENT}.UserGrantService/ListUserGrants"
_APPS: Final = f"{MANAGEMENT}.AppAccessService"
_MEMBERSHIPS: Final = f"{MANAGEMENT}.MemberService/ListUserMemberships"
_METADATA: Final = f"{MANAGEMENT}.UserMetadataService"
_GROUPS: Final = f"{MANAGEMENT}.GroupService"
_PROJECTS: Final = f"{MANAGEMENT}.ProjectService"
_GRANTED: Final = f"{MANAGEMENT}.ProjectGrantService"

_FIRST: Final = 10
"""Entries of each section; a separate list has the rest. The names of each project take two calls."""

_NO_NAME: Final = frozenset({Kind.NOT_FOUND, Kind.PERMISSION_DENIED, Kind.INVALID_REQUEST})


class Roles(NamedTuple):
    """Roles in one project, by their names."""

    project: str
    roles: list[str]
    href: str
    inactive: bool


class Group(NamedTuple):
    """`by_provider` and `nested`: how the user belongs to it, unless added."""

    name: str
    href: str
    by_provider: bool
    nested: bool


class Membership(NamedTuple):
    place: str
    name: str
    roles: list[str]


async def show_access(ctx: RequestContext) -> Response:
    """Roles, groups, applications with access, administrator roles and metadata of a user."""
    shown = await load_user(ctx)
    frame, user = shown.frame, ctx.path["user"]
    first = {"query": {"limit": _FIRST}}
    grants, groups, apps, memberships, metadata = await asyncio.gather(
        ask(ctx, frame, _GRANTS, {**first, "queries": [{"userIdQuery": {"userId": user}}]}),
        ask(ctx, frame, f"{_GROUPS}/ListUserGroups"),
        ask(ctx, frame, f"{_APPS}/ListUserAppAccess"),
        ask(ctx, frame, _MEMBERSHIPS, first),
        ask(ctx, frame, f"{_METADATA}/ListMetadata", {**first, "id": user}),
    )
    names = await _names_of(ctx, frame, _rows(grants), _rows(memberships))
    return user_page(
        ctx,
        shown,
        "access",
        grants=None if grants is None else [_roles(ctx, one, names) for one in _rows(grants)],
        more_grants=_more(grants),
        user_groups=None if groups is None else [_group(ctx, one) for one in _rows(groups)[:_FIRST]],
        apps=None if apps is None else [_access(one) for one in _rows(apps)],
        may_revoke=frame.may_call(f"{_APPS}/RemoveUserAppAccess"),
        memberships=None if memberships is None else [_membership(frame, one, names) for one in _rows(memberships)],
        more_memberships=_more(memberships),
        metadata=None if metadata is None else [(one, segment(one["key"])) for one in _rows(metadata)],
        more_metadata=_more(metadata),
        may_grant=frame.may_call(f"{MANAGEMENT}.UserGrantService/AddUserGrant"),
        may_join=frame.may_call(f"{_GROUPS}/AddGroupMember"),
        may_write=frame.may_call(f"{_METADATA}/SetMetadata"),
    )


def _access(one: Fields) -> tuple[Fields, str]:
    return Fields({**one, "allowedScopes": shown_allowed(one)}), segment(one["clientId"])


def _rows(found: Fields | None) -> list[Any]:
    rows: list[Any] = found.get("result", []) if found is not None else []
    return rows


def _more(found: Fields | None) -> int:
    """Returns the number of all entries, if there are more than shown."""
    total = int((found or Fields())["details"].get("totalResult", 0))
    return total if total > _FIRST else 0


Names = dict[str, tuple[str, dict[str, str]]]
"""Name of a project, and names of its roles by key."""


async def _names_of(ctx: RequestContext, frame: Frame, grants: list[Any], memberships: list[Any]) -> Names:
    projects = {text(one, "projectId"): text(one, "projectGrantId") for one in (*grants, *memberships)}
    projects.pop("", None)
    found = await asyncio.gather(*(_project(ctx, frame, id, grant) for id, grant in projects.items()))
    return dict(zip(projects, found, strict=True))


async def _project(ctx: RequestContext, frame: Frame, id: str, grant: str) -> tuple[str, dict[str, str]]:
    if grant:
        granted = await _tolerant(ctx, frame, f"{_GRANTED}/GetGrantedProjectByID", {"projectId": id, "grantId": grant})
        return text(granted, "grantedProject.projectName"), {}
    one, roles = await asyncio.gather(
        _tolerant(ctx, frame, f"{_PROJECTS}/GetProjectByID", {"projectId": id}),
        _tolerant(ctx, frame, f"{_PROJECTS}/ListProjectRoles", {"projectId": id, "query": {"limit": LARGEST_PAGE}}),
    )
    return text(one, "project.name"), {role["key"]: text(role, "displayName|key") for role in _rows(roles)}


async def _tolerant(ctx: RequestContext, frame: Frame, method: str, fields: dict[str, Any]) -> Fields:
    """Without a name, the id is shown: a project may be removed, or belong to an organization of others."""
    if not frame.may_call(method):
        return Fields()
    try:
        return await ctx.api.call(method, fields, org=ctx.path["org"])
    except ServiceError as error:
        if error.kind not in _NO_NAME:
            raise
        return Fields()


def _roles(ctx: RequestContext, grant: Any, names: Names) -> Roles:
    project, roles = names[grant["projectId"]]
    keys = grant.get("roleKeys", ())
    href = f"{address(ctx, ONE)}/grants/{grant['id']}"
    inactive = str(grant.get("state", "")).endswith("_INACTIVE")
    return Roles(project or grant["projectId"], [roles.get(key, key) for key in keys], href, inactive)


def _group(ctx: RequestContext, one: Any) -> Group:
    membership = one.get("membership", {})
    href = address(ctx, "/orgs/{org}/groups/{group}", {"group": one["groupId"]})
    return Group(one["name"], href, bool(membership.get("idpIds")), bool(membership.get("viaGroupIds")))


def _membership(frame: Frame, one: Any, names: Names) -> Membership:
    roles = [word(key) for key in one.get("roles", ())]
    if one.get("iam"):
        return Membership("instance", "", roles)
    if org := text(one, "orgId"):
        return Membership("organization", frame.org["name"] if org == frame.org["id"] else org, roles)
    project = text(one, "projectId")
    name = names[project][0] if project in names else ""
    return Membership("project", name or project or text(one, "projectGrantId"), roles)
