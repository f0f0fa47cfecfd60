"""The operations on what happened: events, and their counts."""

from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.audit.api.events import list_events
from portico_users.audit.api.statistics import get_instance_statistics, get_statistics
from portico_users.instance.targets import the_instance
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import org_in_any_state, orgs_of_events

_EVENT: Final = "portico.management.v1.EventService"

AUDIT: Final[tuple[Operation, ...]] = (
    Operation(f"{_EVENT}.ListEvents", Permission.EVENTS_READ, orgs_of_events, list_events),
)


STATISTICS: Final[tuple[Operation, ...]] = (
    Operation(
        "portico.management.v1.StatisticsService.GetStatistics", Permission.ORG_READ, org_in_any_state, get_statistics
    ),
    Operation(
        "portico.admin.v1.StatisticsService.GetStatistics", Permission.IAM_READ, the_instance, get_instance_statistics
    ),
)
