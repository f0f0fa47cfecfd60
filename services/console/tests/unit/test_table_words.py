"""Every action of the table has a button that is a verb, and a sentence of what it did."""

from __future__ import annotations

import pytest
from portico_console.console_app.screens.screen import Action, Screen
from portico_console.console_app.screens.table import SCREENS

VERBS = {
    "Add", "Change", "Convert", "Create", "Deactivate", "Delete", "Edit", "End", "Generate", "Grant", "Invite", "Link",
    "Lock", "Override", "Reactivate", "Remove", "Rename", "Reset", "Revoke", "Rotate", "Save", "Send", "Set", "Unlock",
    "Upload", "Verify",
}  # fmt: skip

ACTIONS = [(screen, action) for screen in SCREENS for action in (*screen.create, *screen.actions)]
EACH = pytest.mark.parametrize(
    ("screen", "action"), ACTIONS, ids=[f"{screen.key}-{action.word}" for screen, action in ACTIONS]
)


@EACH
def test_buttons_are_verbs(screen: Screen, action: Action) -> None:
    """A button is a verb with its object, never a noun alone."""
    assert action.title.split()[0] in VERBS
    assert action.button.split()[0] in VERBS


@EACH
def test_notice_says_what_was_done(screen: Screen, action: Action) -> None:
    """A full sentence; an object with a name is named."""
    if action.at:  # a page made by hand
        return
    assert action.done.endswith(".")
    assert len(action.done.split()) > 2
    if not action.named and action not in screen.create:
        assert "%(name)s" not in action.done or screen.name


@EACH
def test_bulk_action_counts_its_rows(screen: Screen, action: Action) -> None:
    assert not action.bulk or (action.bulk.split()[0] in VERBS and "%(count)s" in action.bulk)
