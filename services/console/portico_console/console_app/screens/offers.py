"""What a person is offered on a screen: what they may do there, and what the object allows."""

from __future__ import annotations

from typing import Any

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.screen import Action, Screen
from portico_console.console_app.screens.values import find, text


def offered(frame: Frame, screen: Screen, thing: Any) -> list[Action]:
    """The actions for one object, in the order of the table."""
    return [one for one in screen.actions if frame.may_call(one.method) and _fits(one, thing)]


def creations(frame: Frame, screen: Screen) -> list[Action]:
    """What the person can make."""
    return [one for one in screen.create if frame.may_call(one.method)]


def for_several(frame: Frame, screen: Screen) -> list[Action]:
    """What can be done to several rows of a list at once."""
    return [one for one in screen.actions if one.bulk and frame.may_call(one.method)]


def _fits(action: Action, thing: Any) -> bool:
    """An action that would change nothing is not offered."""
    if action.needs and not find(thing, action.needs):
        return False
    if action.own is not None and action.own is bool(find(thing, "isDefault")):
        return False
    return not action.states or text(thing, "state").endswith(action.states)
