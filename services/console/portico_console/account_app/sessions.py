from __future__ import annotations

from typing import Any, Final

from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, led_to, showing
from portico_console.page_table import PageRow
from portico_console.visit import Visit

_OF: Final = "portico.management.v1.SessionService"


async def show_sessions(visit: Visit, refused: Refused | None) -> Response:
    found = await visit.api.call(f"{_OF}/ListUserSessions", {"userId": visit.session.sub})
    sessions: list[dict[str, Any]] = found.get("result", [])
    return account_page(visit, "sessions.html", "sessions", refused, sessions=sessions)


async def _end(visit: Visit, typed: Parameters) -> Response:
    """Ends a session; ending that of this browser also ends this page's session and access token."""
    await visit.api.call(f"{_OF}/RemoveUserSession", {"userId": visit.session.sub, "sessionId": typed.get("id", "")})
    return led_to(visit, "sessions", "ended")


async def _end_others(visit: Visit, _typed: Parameters) -> Response:
    found = await visit.api.call(f"{_OF}/ListUserSessions", {"userId": visit.session.sub})
    for session in found.get("result", ()):
        if session["id"] != visit.session.sid:
            await visit.api.call(f"{_OF}/RemoveUserSession", {"userId": visit.session.sub, "sessionId": session["id"]})
    return led_to(visit, "sessions", "ended")


PAGES: Final = (
    PageRow("/sessions", showing(show_sessions), acting("session", show_sessions, _end)),
    PageRow("/sessions/others", None, acting("session", show_sessions, _end_others)),
)
