"""The operations on traces of requests."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.management_v1 import traces
from portico_users.api.management_v1.apps.app_targets import named_app
from portico_users.api.management_v1.policies import the_instance
from portico_users.api.management_v1.traces import readable_trace
from portico_users.api.transport.operation import Operation
from portico_users.directory.members.permissions import Permission

_OF: Final = "portico.management.v1.TraceService"
_IAM: Final = "portico.admin.v1.TraceService"

TRACES: Final[tuple[Operation[Any, Any, Any], ...]] = (
    # Whose trace it is decides who may read it, so that its target does.
    Operation(f"{_OF}.GetTrace", None, readable_trace, traces.get_trace),
    Operation(f"{_OF}.ListAppTraces", Permission.PROJECT_APP_READ, named_app, traces.list_app_traces),
    Operation(f"{_IAM}.ListTraces", Permission.IAM_READ, the_instance, traces.list_traces),
)
