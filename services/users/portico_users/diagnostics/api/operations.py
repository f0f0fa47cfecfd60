"""The operations on traces of requests."""

from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.applications.targets import named_app
from portico_users.diagnostics.api import diagnostics
from portico_users.diagnostics.api.diagnostics import readable_diagnostic
from portico_users.instance.targets import the_instance
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import own_or_named_org

_TRACES: Final = "portico.management.v1.TraceService"


_IAM: Final = "portico.admin.v1.TraceService"


TRACES: Final[tuple[Operation, ...]] = (
    # The target function decides who may read the diagnostics.
    Operation(f"{_TRACES}.GetTrace", None, readable_diagnostic, diagnostics.get_trace),
    Operation(f"{_TRACES}.ListAppTraces", Permission.PROJECT_APP_READ, named_app, diagnostics.list_app_traces),
    Operation(f"{_TRACES}.ListOrgTraces", Permission.PROJECT_APP_READ, own_or_named_org, diagnostics.list_org_traces),
    Operation(f"{_IAM}.ListTraces", Permission.IAM_READ, the_instance, diagnostics.list_traces),
)
