"""The addresses of every screen of the table."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.actions import doing_action, showing_action
from portico_console.console_app.screens.details import details_of
from portico_console.console_app.screens.lists import listing_of
from portico_console.console_app.screens.screen import Screen
from portico_console.console_app.screens.shown_once import showing_once
from portico_console.console_app.screens.table import SCREENS
from portico_console.page_table import PageRow


def _rows(screen: Screen) -> list[PageRow]:
    """List and object, with their actions. Those of the list come first: its ``do`` is no object."""
    rows: list[PageRow] = []
    if screen.listing is not None:
        rows += _with_actions(screen, screen.path, PageRow(screen.path, listing_of(screen)), made=True)
    if screen.part or screen.listing is None:
        rows += _with_actions(screen, screen.object_path, PageRow(screen.object_path, details_of(screen)), made=False)
    return rows


def _with_actions(screen: Screen, path: str, row: PageRow, *, made: bool) -> list[PageRow]:
    return [
        row,
        PageRow(f"{path}/do/{{action}}/once", showing_once(screen, made=made)),
        PageRow(f"{path}/do/{{action}}", showing_action(screen, made=made), doing_action(screen, made=made)),
    ]


SCREEN_PAGES: Final = tuple(row for screen in SCREENS for row in _rows(screen))
