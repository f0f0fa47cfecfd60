"""Legibility of the colours of a label policy."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import Palette
from portico_users.policies.branding import branding_of
from portico_users.policies.label_rules import Label, problems_of
from portico_users.policies.policies import Policies

READABLE: list[dict[str, Any]] = [
    {},
    {"primary_color": "#767676", "background_color": "#ffffff"},
    {"font_color": "#000000", "background_color": "#FFFFFF", "primary_color": "#0000EE", "warn_color": "#B00020"},
    {"primary_color": "#112233"},
    {"primary_color_dark": "#ffeb3b"},
    {"background_color_dark": "#000000"},
    {
        "background_color_dark": "#ffffff",
        "font_color_dark": "#000000",
        "primary_color_dark": "#000000",
        "warn_color_dark": "#900000",
    },
]
"""Literal values, not computed: light colours on #fcfdfc, dark ones on #171e1b where no background is set."""

UNREADABLE: list[tuple[dict[str, Any], list[str]]] = [
    ({"primary_color": "#777777", "background_color": "#ffffff"}, ["primaryColor"]),
    ({"font_color": "#ffff00"}, ["fontColor"]),
    ({"font_color": "#ffffff"}, ["fontColor"]),
    ({"warn_color": "#ff0000"}, ["warnColor"]),
    ({"background_color": "#17211e"}, ["backgroundColor"] * 3),
    ({"background_color": "#1d5c4c", "font_color": "#ffffff", "warn_color": "#ffffff"}, ["backgroundColor"]),
    ({"primary_color_dark": "#112233"}, ["primaryColorDark"]),
    ({"font_color_dark": "#777777"}, ["fontColorDark"]),
    ({"background_color_dark": "#ffffff", "font_color_dark": "#000000"}, ["backgroundColorDark"] * 2),
]


@pytest.mark.parametrize("colors", READABLE)
def test_legible_colours_are_accepted(colors: dict[str, Any]) -> None:
    """Text, links and warnings have a contrast of 4.5 to 1 to the background, including the default colours."""
    assert list(problems_of(Label(**colors))) == []


@pytest.mark.parametrize(("colors", "places"), UNREADABLE)
def test_illegible_colours_are_refused_at_their_path(colors: dict[str, Any], places: list[str]) -> None:
    """USER-901 names the colour that was set: the foreground, or a background that does not fit the default colours."""
    problems = list(problems_of(Label(**colors)))

    assert [problem.path for problem in problems] == places
    assert {problem.error_code.id for problem in problems} == {"USER-901"}


def test_stored_illegible_colours_are_not_used() -> None:
    """A theme with illegible colours stored before the rule uses the defaults; the other theme keeps its colours."""
    label = Label(font_color="#ffffff", primary_color="#112233", primary_color_dark="#ffeb3b")
    branding = branding_of(Policies(label=label))

    assert (branding.light, branding.dark) == (Palette(), Palette(primary="#ffeb3b"))
