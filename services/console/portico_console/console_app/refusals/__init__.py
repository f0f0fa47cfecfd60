"""Why requests were refused: the last ones, the checks of each, and the button that registers a redirect URI."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.refusals.page import show_refusal, show_refusals
from portico_console.console_app.refusals.register_uri import register_uri, show_register_uri
from portico_console.page_table import PageRow

REFUSAL_PAGES: Final = (
    PageRow("/requests", show_refusals),
    PageRow("/requests/{id}", show_refusal),
    PageRow("/requests/{id}/register", show_register_uri, register_uri),
)
