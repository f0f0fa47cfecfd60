"""Forms whose lists are as long as the API stores them."""

from __future__ import annotations

from typing import Any, Final

from portico_console.console_app.screens.screen import Action
from portico_console.console_app.screens.table import SCREENS
from portico_console.forms.building import form_of
from portico_console.forms.field import Field, Widget, all_of
from portico_console.forms.reading import MOST_ROWS
from portico_console.request_context import MOST_FIELDS
from portico_contracts.management import METHODS
from portico_contracts.proto_options import rules_of
from portico_harness.rows import row

_BESIDE: Final = 2
"""The token of the session and the version."""


def test_every_stored_list_fits_into_its_form() -> None:
    """What a document or the API stored can be edited here, and no row is dropped."""
    for screen in SCREENS:
        for action in (one for one in screen.actions if one.only):
            with row(screen.key, action.word):
                assert (
                    _BESIDE + sum(_inputs(field, described) for field, described in _fields_of(action)) <= MOST_FIELDS
                )


def _fields_of(action: Action) -> list[tuple[Field, Any]]:
    known = METHODS[action.method.replace("/", ".")].request.DESCRIPTOR.fields_by_camelcase_name
    fields = form_of(action.method, action.only, change=bool(action.filled_from))
    return [(field, known.get(field.name)) for field in fields]


def _inputs(field: Field, described: Any) -> int:
    """How many inputs the field has, of which a browser sends each at most once."""
    if field.widget is Widget.ONE_OF:
        return 1 + sum(1 for _ in all_of(field.children))
    known = described.message_type.fields_by_camelcase_name if field.children else {}
    inside = sum(_inputs(one, known.get(one.name)) for one in field.children)
    match field.widget:
        case Widget.ROWS:
            most = rules_of(described).repeated.max_items
            assert 0 < most <= MOST_ROWS
            return most * inside
        case Widget.GROUP:
            return inside
        case Widget.SEVERAL:
            return len(field.choices)
        case _:
            return 1
