from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.frame import TITLES
from portico_console.console_app.screens.requests import STATES
from portico_console.console_app.screens.screen import Action, Column, Filter, Screen, Search
from portico_console.console_app.screens.table import SCREENS
from portico_console.forms.building import form_of
from portico_console.forms.field import all_of
from portico_console.forms.hints import HINTS
from portico_console.forms.labels import LABELS, WORDS
from portico_console.forms.pickers import HEADINGS, MEANINGS, PICKED
from portico_console.forms.reading import NOT_A_NUMBER, NOT_A_TIME, NOT_JSON

_WORDS: Final = (LABELS, HINTS, WORDS, PICKED, MEANINGS, HEADINGS)
"""Tables of which pages show the values."""

NAMES: Final = frozenset(
    {
        "1.0", "FAPI 2.0", "GitHub", "GitHub Enterprise Server", "GitLab", "Google", "JSON", "JWT", "LDAP", "Microsoft", "OAuth 2.0",
        "OpenID Connect", "SMS", "STARTTLS", "TLS", "HTTP",
    }
)  # fmt: skip
"""Equal in every language."""


def sentences() -> list[str]:
    found = {NOT_A_NUMBER, NOT_A_TIME, NOT_JSON, *TITLES, *(word for word, _look in STATES.values())}
    found |= {text for table in _WORDS for text in table.values()}
    for screen in SCREENS:
        found |= _of_screen(screen)
        found |= _of_forms(screen)
    return sorted(found - NAMES - {""})


def _of_forms(screen: Screen) -> set[str]:
    """The labels and hints of its forms."""
    forms = (form_of(one.method, one.only) for one in (*screen.create, *screen.actions) if one.only)
    fields = [field for form in forms for field in all_of(form)]
    return {field.label for field in fields} | {field.help for field in fields}


def _of_screen(screen: Screen) -> set[str]:
    listing = screen.listing
    columns: tuple[Column, ...] = (
        *screen.facts,
        *((*listing.columns, *listing.only_exported) if listing else ()),
    )
    actions: tuple[Action, ...] = (*screen.create, *screen.actions)
    narrowing: tuple[Filter | Search, ...] = (*listing.searches, *listing.filters) if listing else ()
    return {
        screen.title,
        screen.hint,
        screen.empty,
        *(column.title for column in columns),
        *(
            text
            for action in actions
            for text in (
                action.title,
                action.tab,
                action.button,
                action.loses,
                action.done,
                action.bulk,
                action.onward[1],
            )
        ),
        *(one.title for one in narrowing),
        *(title for title, _field in (screen.usage.counts if screen.usage else ())),
    }
