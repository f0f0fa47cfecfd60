"""What is around the pages of one organization: its name, where one can go, and what the person may do there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from portico_console.management.fields import Fields
from portico_console.visit import Visit


@dataclass(frozen=True, slots=True)
class Frame:
    """The organization a page is about, as the person sees it.

    Args:
        org: as the management API returns it.
        roles: by permission, the roles that give it there.
    """

    org: Fields
    roles: dict[str, tuple[str, ...]]

    def may(self, permission: str) -> bool:
        """Whether the person holds a permission there. The management API decides each call as ever."""
        return permission in self.roles


async def load_frame(visit: Visit, project_id: str = "") -> Frame:
    """The frame of the organization in the address.

    Args:
        project_id: a project whose roles count as well.

    Raises:
        ServiceError: of `ListMyPermissions`; one the person has nothing to do with is like an unknown one.
    """
    found = await visit.api.call(
        "portico.management.v1.CallerService/ListMyPermissions", {"projectId": project_id}, org=visit.path["org"]
    )
    held = {one["permission"]: tuple(one["roles"]) for one in found.get("permissions", ())}
    return Frame(found["org"], held)


def framed(visit: Visit, template: str, frame: Frame, place: str, *, status: int = 200, **context: Any) -> Response:
    """A page of an organization.

    Args:
        place: the word of the entry of the navigation it belongs to.
        context: the variables of its template.
    """
    return visit.page(
        f"console/{template}", status=status, frame=frame, place=place, org_id=visit.path["org"], **context
    )
