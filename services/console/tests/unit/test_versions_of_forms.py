"""Forms that replace what they started with have its version, so that another change is not overwritten."""

from __future__ import annotations

from typing import Any, Final

from portico_console.console_app.screens.screen import Screen
from portico_console.console_app.screens.table import SCREENS
from portico_contracts.management import METHODS
from portico_harness.rows import row

BY_HAND: Final = {("group-roles", "roles")}
"""Their pages read the version themselves."""


def test_every_form_of_stored_values_has_their_version() -> None:
    """The operation accepts a version, and what the form is filled from has one."""
    for screen in SCREENS:
        for action in (one for one in screen.actions if one.filled_from and (screen.key, one.word) not in BY_HAND):
            with row(screen.key, action.word):
                assert METHODS[action.method.replace("/", ".")].answers_version
                assert "sequence" in _fields(_fields(_read(screen))["details"].message_type)


def _read(screen: Screen) -> Any:
    """The message of the object, or of a row of the list that it is found in."""
    if screen.getting is not None:
        answer = _answer(screen.getting.method)
        return _fields(answer)[screen.getting.object].message_type if screen.getting.object else answer
    assert screen.listing is not None
    (rows,) = [one for one in _answer(screen.listing.method).fields if one.is_repeated]
    return rows.message_type


def _answer(method: str) -> Any:
    return METHODS[method.replace("/", ".")].response.DESCRIPTOR


def _fields(message: Any) -> Any:
    return message.fields_by_camelcase_name
