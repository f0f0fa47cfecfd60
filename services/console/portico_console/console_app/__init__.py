"""The management console: its pages by address."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.home import show_home
from portico_console.page_table import PageRow

CONSOLE_PAGES: Final[tuple[PageRow, ...]] = (PageRow("", show_home),)
"""Every page. A new one is a row here, a handler and a template."""
