from __future__ import annotations

from typing import Final

from portico_console.console_app.groups.add_members import MEMBERS, add_members, show_people
from portico_console.console_app.groups.roles import ROLES, save_roles, show_roles
from portico_console.page_table import PageRow

GROUP_PAGES: Final = (
    PageRow(f"{MEMBERS}/do/new", show_people, add_members),
    PageRow(f"{ROLES}/do/new", show_roles, save_roles),
    PageRow(f"{ROLES}/{{project}}/do/roles", show_roles, save_roles),
)
