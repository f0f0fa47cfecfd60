"""The operations on the event log and on sessions."""

from __future__ import annotations

from typing import Any, Final

from portico_users.domain.permissions import Permission
from portico_users.management.calls.events.list_events import list_events
from portico_users.management.calls.sessions import sessions
from portico_users.management.operation import Operation
from portico_users.management.targets import named_user, orgs_of_events

_EVENT: Final = "portico.management.v1.EventService"
_SESSION: Final = "portico.management.v1.SessionService"
_DELETE: Final = Permission.SESSION_DELETE

AUDIT: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_EVENT}.ListEvents", Permission.EVENTS_READ, orgs_of_events, list_events),
    Operation(
        f"{_SESSION}.ListUserSessions", Permission.SESSION_READ, named_user, sessions.list_user_sessions, own=True
    ),
    Operation(f"{_SESSION}.RemoveUserSession", _DELETE, named_user, sessions.remove_user_session, own=True),
    Operation(f"{_SESSION}.RemoveUserSessions", _DELETE, named_user, sessions.remove_user_sessions, own=True),
)
