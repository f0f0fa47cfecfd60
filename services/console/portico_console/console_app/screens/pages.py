from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from starlette.responses import Response

from portico_console.console_app.screens.actions import do_action, show_action
from portico_console.console_app.screens.details import show_object
from portico_console.console_app.screens.lists import show_screen
from portico_console.console_app.screens.policy_card import show_policy
from portico_console.console_app.screens.screen import Screen
from portico_console.console_app.screens.shown_once import show_once
from portico_console.console_app.screens.table import SCREENS
from portico_console.console_app.screens.tables.rules import POLICIES
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext


def _rows(screen: Screen) -> list[PageRow]:
    """Returns list and object pages with their actions. The list's come first: its ``do`` is not an object id."""
    rows: list[PageRow] = []
    if screen.listing is not None:
        rows += _with_actions(screen, screen.path, show_screen, made=True)
    if screen.part or screen.listing is None:
        show = show_policy if screen in POLICIES else show_object
        rows += _with_actions(screen, screen.object_path, show, made=False)
    return rows


def _with_actions(
    screen: Screen, path: str, show: Callable[[Screen, RequestContext], Awaitable[Response]], *, made: bool
) -> list[PageRow]:
    once, form, do = (partial(one, screen, made=made) for one in (show_once, show_action, do_action))
    action = f"{path}/do/{{action}}"
    return [PageRow(path, partial(show, screen)), PageRow(f"{action}/once", once), PageRow(action, form, do)]


SCREEN_PAGES: Final = tuple(row for screen in SCREENS for row in _rows(screen))
