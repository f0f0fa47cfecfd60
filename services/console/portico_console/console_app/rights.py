"""What a person may do in an organization, in a project or in the instance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.management import METHODS

from portico_console.management.api import Fields
from portico_console.visit import Visit

_MINE: Final = "portico.management.v1.CallerService/ListMyPermissions"


@dataclass(frozen=True, slots=True)
class Frame:
    """The organization a page is about, or the instance, as the person sees it.

    Args:
        org: as the management API returns it; that of the person for a page of the instance.
        roles: by permission, the roles that give it there.
        instance: the person administers the instance, with some role.
    """

    org: Fields
    roles: dict[str, tuple[str, ...]]
    instance: bool = False

    def may(self, permission: str) -> bool:
        """Whether the person holds a permission there. The management API decides each call as ever."""
        return permission in self.roles

    def may_call(self, method: str) -> bool:
        """Whether the person holds what a method needs.

        Args:
            method: service and name: ``portico.management.v1.ProjectService/AddProject``.
        """
        needed = METHODS[method.replace("/", ".")].permission
        return not needed.name or self.may(needed.name)


async def load_frame(visit: Visit, project_id: str = "") -> Frame:
    """The frame of the organization in the address; of the instance, where the address has none.

    Args:
        project_id: a project whose roles count as well.

    Raises:
        ServiceError: of `ListMyPermissions`; one the person has nothing to do with is like an unknown one.
    """
    org_id = visit.path.get("org", "")
    found = await visit.api.call(_MINE, {"projectId": project_id}, org=org_id)
    held = found.get("permissions", ())
    roles = {one["permission"]: tuple(one["roles"]) for one in held if org_id or one["everywhere"]}
    return Frame(found["org"], roles, bool(found["instance"]))
