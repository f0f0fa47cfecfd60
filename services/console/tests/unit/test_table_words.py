"""Every action of the table has a button that is a verb, and a sentence of what it did."""

from __future__ import annotations

from portico_console.console_app.screens.table import SCREENS
from portico_console.console_app.screens.tables.shared import CHANGED, CREATED
from portico_contracts.field_texts import field_text
from portico_contracts.management import METHODS
from portico_harness.rows import row

VERBS = {
    "Activate", "Add", "Change", "Convert", "Create", "Deactivate", "Delete", "Edit", "End", "Generate", "Grant", "Invite", "Link",
    "Lock", "Override", "Reactivate", "Remove", "Rename", "Resend", "Reset", "Revoke", "Rotate", "Save", "Send", "Set", "Start", "Unlock",
    "Upload", "Verify",
}  # fmt: skip

OWNERS = {"GrantedProject": "grant"}
"""The owner of the details of a message with another name."""

ACTIONS = [(screen, action) for screen in SCREENS for action in (*screen.create, *screen.actions)]


def test_buttons_are_verbs() -> None:
    """A button is a verb with its object, never a noun alone."""
    for screen, action in ACTIONS:
        with row(screen.key, action.word):
            assert action.title.split()[0] in VERBS
            assert action.button.split()[0] in VERBS


def test_notice_says_what_was_done() -> None:
    """A full sentence; an object with a name is named."""
    for screen, action in ACTIONS:
        with row(screen.key, action.word):
            if action.at or action.only_bulk:  # a page made by hand, or one with a result for each row
                continue
            assert action.done.endswith(".")
            assert len(action.done.split()) > 2
            if not action.named and action not in screen.create:
                assert "%(name)s" not in action.done or screen.name


def test_bulk_action_counts_its_rows() -> None:
    for screen, action in ACTIONS:
        with row(screen.key, action.word):
            assert not action.bulk or (action.bulk.split()[0] in VERBS and "%(count)s" in action.bulk)


def test_times_are_those_of_the_row() -> None:
    """A part of an object has the details of the whole object: a role would seem to be as old as its project."""
    for screen in SCREENS:
        if screen.listing is None:
            continue
        columns = (*screen.listing.columns, *screen.listing.only_exported, *screen.facts)
        if not any(column.path in (CREATED.path, CHANGED.path) for column in columns):
            continue
        result = METHODS[screen.listing.method.replace("/", ".")].response.DESCRIPTOR.fields_by_name["result"]
        message = result.message_type
        assert message
        owner = field_text(f"{message.full_name}.details").rstrip(".").split()[-1]
        with row(screen.key, message.name):
            assert owner == "object" or owner.startswith(OWNERS.get(message.name, message.name.lower()))
