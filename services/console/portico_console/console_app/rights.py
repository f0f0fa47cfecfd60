from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.management import METHODS

from portico_console.management.api import Fields
from portico_console.request_context import RequestContext

_MINE: Final = "portico.management.v1.CallerService/ListMyPermissions"

_MAX_ID: Final = 200


@dataclass(frozen=True, slots=True)
class Frame:
    """The organization of a page, or the instance; `roles` maps permissions to the roles that grant them.

    `org_id` is empty on pages of the instance.
    """

    org: Fields
    roles: dict[str, tuple[str, ...]]
    instance: bool = False
    org_id: str = ""

    def may(self, permission: str) -> bool:
        return permission in self.roles

    def may_call(self, method: str) -> bool:
        """Reports whether the user has the permission of a method: ``portico.management.v1.ProjectService/AddProject``."""
        needed = METHODS[method.replace("/", ".")].permission
        return not needed.name or self.may(needed.name)


async def load_frame(ctx: RequestContext, project_id: str = "") -> Frame:
    """Roles in `project_id` count too; an organization without a relation to the user is reported as unknown."""
    org_id = ctx.path.get("org", "")
    return _frame(await ctx.api.call(_MINE, {"projectId": project_id}, org=org_id), org_id)


async def load_frame_around(ctx: RequestContext, org_id: str = "") -> Frame:
    """For pages outside an organization: the one that the user came from (`?org=`), the instance, or the user's own."""
    asked = org_id or ctx.request.query_params.get("org", "")[:_MAX_ID]
    found = await ctx.api.call(_MINE, {"projectId": ""}, org=asked)
    return _frame(found, found["org"]["id"] if asked or not found["instance"] else "")


def _frame(found: Fields, org_id: str) -> Frame:
    held = found.get("permissions", ())
    roles = {one["permission"]: tuple(one["roles"]) for one in held if org_id or one["everywhere"]}
    return Frame(found["org"], roles, bool(found["instance"]), org_id)
