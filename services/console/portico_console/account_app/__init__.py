"""The account page: its pages by address."""

from __future__ import annotations

from typing import Final

from portico_console.account_app.overview import show_overview
from portico_console.page_table import PageRow

ACCOUNT_PAGES: Final[tuple[PageRow, ...]] = (PageRow("", show_overview),)
"""Every page. A new one is a row here, a handler and a template."""
