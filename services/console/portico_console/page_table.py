"""How the pages of an application are listed: one row for each address."""

from __future__ import annotations

from typing import NamedTuple

from portico_console.pages import Handler


class PageRow(NamedTuple):
    """One address.

    Attributes:
        path: behind the application's own path, with named parts in braces; empty for its first page.
        show: answers GET.
        submit: answers the form of the page; None for a page without one.
    """

    path: str
    show: Handler | None
    submit: Handler | None = None
