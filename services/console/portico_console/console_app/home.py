"""The first page of the console."""

from __future__ import annotations

from starlette.responses import Response

from portico_console.visit import Visit


async def show_home(visit: Visit) -> Response:
    """The organization of the person."""
    found = await visit.api.call("portico.user.v2.UserService/GetUserByID", {"userId": visit.session.sub})
    return visit.page("console/home.html", user=found["user"])
