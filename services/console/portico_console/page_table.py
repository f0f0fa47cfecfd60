from __future__ import annotations

from typing import NamedTuple

from portico_console.pages import Handler


class PageRow(NamedTuple):
    """`path` follows the application's path and has named parts in braces; `show` handles GET, `submit` POST."""

    path: str
    show: Handler | None
    submit: Handler | None = None
