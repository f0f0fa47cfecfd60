"""The way from the first page to this one."""

from __future__ import annotations

from typing import NamedTuple

from portico_console.console_app.screens.requests import address, parts_of
from portico_console.console_app.screens.screen import Screen
from portico_console.console_app.screens.table import SCREENS
from portico_console.visit import Visit


class Crumb(NamedTuple):
    """One step.

    Attributes:
        title: of a screen, which is translated; or the id of an object.
        named: it is an id.
    """

    title: str
    href: str
    named: bool = False


def crumbs(visit: Visit, screen: Screen, *, inside: bool = False) -> list[Crumb]:
    """The screens above, each with the object it is about; the last is not this page itself.

    Args:
        inside: the page is about an object of the screen, or about an action: its list is a step as well.
    """
    parts = parts_of(visit)
    above = [one for one in SCREENS if one.part and screen.path.startswith(f"{one.object_path}/")]
    found: list[Crumb] = []
    for one in sorted(above, key=lambda one: len(one.path)):
        found += (
            Crumb(one.title, address(visit, one.path)),
            Crumb(parts[one.part], address(visit, one.object_path), named=True),
        )
    return [*found, Crumb(screen.title, address(visit, screen.path))] if inside else found
