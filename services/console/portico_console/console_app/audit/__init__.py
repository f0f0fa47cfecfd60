"""The time line of an organization and of the instance: who did what and when, sign-ins, refusals."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.audit.export import export_csv, export_json
from portico_console.console_app.audit.time_line import show_former, show_object, show_time_line
from portico_console.page_table import PageRow

AUDIT_PAGES: Final = (
    *(
        row
        for place in ("/orgs/{org}", "/instance")
        for row in (
            PageRow(f"{place}/audit", show_time_line),
            PageRow(f"{place}/audit/export.csv", export_csv),
            PageRow(f"{place}/audit/export.json", export_json),
        )
    ),
    PageRow("/orgs/{org}/history", show_former),
    PageRow("/orgs/{org}/projects/{project}/history", show_object),
    PageRow("/orgs/{org}/machines/{user}/history", show_object),
    PageRow("/orgs/{org}/groups/{group}/history", show_object),
)
