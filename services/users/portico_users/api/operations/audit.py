"""The operations on the event log, on sessions and on the applications with access to an account."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.management_v1 import app_access, sessions
from portico_users.api.management_v1.events import list_events
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.targets import named_user, orgs_of_events
from portico_users.directory.members.permissions import Permission

_EVENT: Final = "portico.management.v1.EventService"
_SESSION: Final = "portico.management.v1.SessionService"
_ACCESS: Final = "portico.management.v1.AppAccessService"
_DELETE: Final = Permission.SESSION_DELETE

AUDIT: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_EVENT}.ListEvents", Permission.EVENTS_READ, orgs_of_events, list_events),
    Operation(
        f"{_SESSION}.ListUserSessions", Permission.SESSION_READ, named_user, sessions.list_user_sessions, own=True
    ),
    Operation(f"{_SESSION}.RemoveUserSession", _DELETE, named_user, sessions.remove_user_session, own=True),
    Operation(f"{_SESSION}.RemoveUserSessions", _DELETE, named_user, sessions.remove_user_sessions, own=True),
    Operation(
        f"{_ACCESS}.ListUserAppAccess", Permission.SESSION_READ, named_user, app_access.list_user_app_access, own=True
    ),
    Operation(f"{_ACCESS}.RemoveUserAppAccess", _DELETE, named_user, app_access.remove_user_app_access, own=True),
)
