"""What differs from the input of a card that another change has overtaken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from portico_console.console_app.sign_in_rules.first_factors import CHOSEN, FIRST_FACTORS, LIMITS
from portico_console.console_app.sign_in_rules.places import ACTIONS, ELSEWHERE, RULES
from portico_console.console_app.sign_in_rules.sections import ENROLMENTS, FACTORS, LOGIN, Section
from portico_console.forms.differences import Difference, differing
from portico_console.messages import message

_LISTS: Final = {
    "factors": message("Allowed factors"),
    LIMITS: message("A sign-in may start only with"),
    CHOSEN: message("First factor"),
    RULES: message("Rules, one a line"),
    ELSEWHERE: message("Everywhere else"),
    "providers": message("Offered on the sign-in page"),
    "enrolment": message("Required before a user registers a factor at the sign-in"),
}


def differences_of(
    section: Section, typed: Mapping[str, Any], stored: Mapping[str, Any], providers: Mapping[str, str]
) -> list[Difference]:
    """`providers` are the names of identity providers by id."""
    labels = {one.name: one.label for one in section.switches} | {one.name: one.label for one in section.numbers}
    labels |= _LISTS if section is LOGIN else {}
    known = dict(providers) | {one.key: one.label for one in FACTORS} | dict(ENROLMENTS)
    known |= {one.key: one.label for one in FIRST_FACTORS} | {one.word: one.label for one in ACTIONS}
    return differing(_in_words(typed, known), _in_words(stored, known), labels)


def _in_words(values: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    return {
        name: {known.get(one, one) for one in value} if isinstance(value, set) else known.get(str(value), value)
        for name, value in values.items()
    }
