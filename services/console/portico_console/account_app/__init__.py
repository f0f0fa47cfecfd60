from __future__ import annotations

from typing import Final

from portico_console.account_app import access, data, history, links, new_app, new_key, profile, security, sessions
from portico_console.account_app.account_page import showing
from portico_console.account_app.overview import show_overview
from portico_console.page_table import PageRow

ACCOUNT_PAGES: Final[tuple[PageRow, ...]] = (
    PageRow("", showing(show_overview)),
    *profile.PAGES,
    *security.PAGES,
    *new_key.PAGES,
    *new_app.PAGES,
    *sessions.PAGES,
    *access.PAGES,
    *links.PAGES,
    *history.PAGES,
    *data.PAGES,
)
"""Every page: path, handler and template."""
