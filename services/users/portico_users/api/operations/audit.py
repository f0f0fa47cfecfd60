"""The operations on what happened: events, sessions, access of applications, traces, and what callers ask about themselves."""

from __future__ import annotations

from typing import Final

from portico_users.api.management_v1 import callers, diagnostics, sessions
from portico_users.api.management_v1.apps import named_app
from portico_users.api.management_v1.diagnostics import readable_diagnostic
from portico_users.api.management_v1.events import list_events
from portico_users.api.management_v1.orgs import instance, org_in_any_state
from portico_users.api.management_v1.policies import the_instance
from portico_users.api.management_v1.search import readable_areas, search
from portico_users.api.management_v1.statistics import get_instance_statistics, get_statistics
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.targets import named_user, orgs_of_events
from portico_users.resources.members.permissions import Permission

_EVENT: Final = "portico.management.v1.EventService"
_SESSION: Final = "portico.management.v1.SessionService"
_ACCESS: Final = "portico.management.v1.AppAccessService"
_DELETE: Final = Permission.SESSION_DELETE

AUDIT: Final[tuple[Operation, ...]] = (
    Operation(f"{_EVENT}.ListEvents", Permission.EVENTS_READ, orgs_of_events, list_events),
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
)


_TRACES: Final = "portico.management.v1.TraceService"
_IAM: Final = "portico.admin.v1.TraceService"

TRACES: Final[tuple[Operation, ...]] = (
    # The target function decides who may read the diagnostics.
    Operation(f"{_TRACES}.GetTrace", None, readable_diagnostic, diagnostics.get_trace),
    Operation(f"{_TRACES}.ListAppTraces", Permission.PROJECT_APP_READ, named_app, diagnostics.list_app_traces),
    Operation(f"{_IAM}.ListTraces", Permission.IAM_READ, the_instance, diagnostics.list_traces),
)


STATISTICS: Final[tuple[Operation, ...]] = (
    Operation(
        "portico.management.v1.StatisticsService.GetStatistics", Permission.ORG_READ, org_in_any_state, get_statistics
    ),
    Operation(
        "portico.admin.v1.StatisticsService.GetStatistics", Permission.IAM_READ, the_instance, get_instance_statistics
    ),
)


_CALLERS: Final = "portico.management.v1.CallerService"

CALLERS: Final[tuple[Operation, ...]] = (
    Operation(f"{_CALLERS}.ListMyOrgs", None, instance, callers.list_my_orgs),
    Operation(f"{_CALLERS}.ListMyEvents", None, instance, callers.list_my_events),
    Operation(f"{_CALLERS}.GetMyBranding", None, instance, callers.get_my_branding),
    Operation(f"{_CALLERS}.GetMyPasswordRules", None, instance, callers.get_my_password_rules),
    Operation(f"{_CALLERS}.ListMyPermissions", None, org_in_any_state, callers.list_my_permissions),
    # The target function decides what the caller may read.
    Operation("portico.management.v1.SearchService.Search", None, readable_areas, search),
)
