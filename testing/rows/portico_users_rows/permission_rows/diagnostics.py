"""The rows of traces and statistics: who may read why a request was refused, and how often."""

from __future__ import annotations

from typing import Final

from portico_users_rows.permission_rows.idps import INSTANCE_ONLY
from portico_users_rows.permission_rows.row import ABSENT, READERS, READS_OWN_ORG, WHO, Row, nothing

_OF: Final = "portico.management.v1.TraceService"

TRACE_ROWS: Final = {
    f"{_OF}.GetTrace": Row("/management/v1/traces/no-such-request", nothing, (WHO, WHO, *([ABSENT] * 6))),
    f"{_OF}.ListOrgTraces": Row("", nothing, READS_OWN_ORG),
    f"{_OF}.ListAppTraces": Row(
        "/management/v1/projects/p-{caller}-{tag}/apps/app-{caller}-{tag}/traces/_search", nothing, READERS
    ),
    "portico.admin.v1.TraceService.ListTraces": Row("", nothing, INSTANCE_ONLY),
}
"""Access depends on the subject of the diagnostics: see `tests/management/test_diagnostics.py`."""

STATISTICS_ROWS: Final = {
    "portico.management.v1.StatisticsService.GetStatistics": Row("", nothing, READS_OWN_ORG),
    "portico.admin.v1.StatisticsService.GetStatistics": Row("", nothing, INSTANCE_ONLY),
}
