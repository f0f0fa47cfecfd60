"""The operations on sessions, and on the access of applications."""

from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.applications.targets import named_app
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import named_user, own_or_named_org
from portico_users.sessions.api import agents, sessions

_SESSION: Final = "portico.management.v1.SessionService"
_ACCESS: Final = "portico.management.v1.AppAccessService"
_AGENTS: Final = "portico.management.v1.AgentService"
_DELETE: Final = Permission.SESSION_DELETE

SESSIONS: Final[tuple[Operation, ...]] = (
    Operation(
        f"{_SESSION}.ListUserSessions", Permission.SESSION_READ, named_user, sessions.list_user_sessions, own=True
    ),
    Operation(f"{_SESSION}.RemoveUserSession", _DELETE, named_user, sessions.remove_user_session, own=True),
    Operation(f"{_SESSION}.RemoveUserSessions", _DELETE, named_user, sessions.remove_user_sessions, own=True),
    Operation(
        f"{_SESSION}.ListUserTrustedDevices",
        Permission.SESSION_READ,
        named_user,
        sessions.list_user_trusted_devices,
        own=True,
    ),
    Operation(
        f"{_SESSION}.RemoveUserTrustedDevice", _DELETE, named_user, sessions.remove_user_trusted_device, own=True
    ),
    Operation(
        f"{_ACCESS}.ListUserAppAccess", Permission.SESSION_READ, named_user, sessions.list_user_app_access, own=True
    ),
    Operation(f"{_ACCESS}.RemoveUserAppAccess", _DELETE, named_user, sessions.remove_user_app_access, own=True),
    Operation(f"{_AGENTS}.ListUserAgents", Permission.SESSION_READ, named_user, agents.list_user_agents, own=True),
    Operation(f"{_AGENTS}.EndUserAgents", _DELETE, named_user, agents.end_user_agents, own=True),
    Operation(f"{_AGENTS}.ListAgents", Permission.SESSION_READ, own_or_named_org, agents.list_agents),
    Operation(f"{_AGENTS}.EndAgents", _DELETE, own_or_named_org, agents.end_agents),
    Operation(f"{_AGENTS}.ListAppAgents", Permission.PROJECT_APP_READ, named_app, agents.list_app_agents),
)
