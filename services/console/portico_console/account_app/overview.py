"""The first page of the account: who the person is."""

from __future__ import annotations

from starlette.responses import Response

from portico_console.visit import Visit


async def show_overview(visit: Visit) -> Response:
    """Name, address and login name."""
    found = await visit.api.call("portico.user.v2.UserService/GetUserByID", {"userId": visit.session.sub})
    return visit.page("account/overview.html", user=found["user"])
