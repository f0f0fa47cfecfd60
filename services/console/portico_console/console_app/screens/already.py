"""What a bulk action does for an entry that has a part of it already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from portico_console.request_context import RequestContext

_GRANTS: Final = "portico.management.v1.UserGrantService"


async def is_done(_ctx: RequestContext, _fields: Mapping[str, Any]) -> None:
    """Of a member of a group nothing is left to do."""


async def add_roles(ctx: RequestContext, fields: Mapping[str, Any]) -> None:
    """Adds the roles to those that the user has in the project."""
    org = ctx.path.get("org", "")
    queries = [
        {"userIdQuery": {"userId": fields["userId"]}},
        {"projectIdQuery": {"projectId": fields["projectId"]}},
    ]
    found = await ctx.api.call(f"{_GRANTS}/ListUserGrants", {"query": {"limit": 1}, "queries": queries}, org=org)
    for grant in found.get("result", ()):
        keys = list(dict.fromkeys((*grant.get("roleKeys", ()), *fields["roleKeys"])))
        change = {"userId": fields["userId"], "grantId": grant["id"], "roleKeys": keys}
        await ctx.api.call(f"{_GRANTS}/UpdateUserGrant", change, org=org)
