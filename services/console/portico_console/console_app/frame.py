"""What is around the pages of the console: the organization, and where one can go."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from portico_console.console_app.navigation import navigation
from portico_console.console_app.rights import Frame
from portico_console.visit import Visit


def framed(visit: Visit, template: str, frame: Frame, place: str, *, status: int = 200, **context: Any) -> Response:
    """A page of an organization or of the instance.

    Args:
        place: the word of the entry of the navigation it belongs to.
        context: the variables of its template.
    """
    return visit.page(
        f"console/{template}",
        status=status,
        frame=frame,
        place=place,
        org_id=visit.path.get("org", ""),
        groups=navigation(visit, frame),
        **context,
    )
