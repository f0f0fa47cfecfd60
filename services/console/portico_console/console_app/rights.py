from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.management import METHODS

from portico_console.management.api import Fields
from portico_console.request_context import RequestContext

_MINE: Final = "portico.management.v1.CallerService/ListMyPermissions"


@dataclass(frozen=True, slots=True)
class Frame:
    """The organization of a page, or the instance; `roles` maps permissions to the roles that grant them."""

    org: Fields
    roles: dict[str, tuple[str, ...]]
    instance: bool = False

    def may(self, permission: str) -> bool:
        return permission in self.roles

    def may_call(self, method: str) -> bool:
        """Whether the user has the permission of a method: ``portico.management.v1.ProjectService/AddProject``."""
        needed = METHODS[method.replace("/", ".")].permission
        return not needed.name or self.may(needed.name)


async def load_frame(ctx: RequestContext, project_id: str = "") -> Frame:
    """Roles in `project_id` count too; an organization without a relation to the user is reported as unknown."""
    org_id = ctx.path.get("org", "")
    found = await ctx.api.call(_MINE, {"projectId": project_id}, org=org_id)
    held = found.get("permissions", ())
    roles = {one["permission"]: tuple(one["roles"]) for one in held if org_id or one["everywhere"]}
    return Frame(found["org"], roles, bool(found["instance"]))
