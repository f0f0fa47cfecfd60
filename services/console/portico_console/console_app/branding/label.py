"""The colours of the sign-in pages, their names, and which of them cannot be read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from portico_contracts.colors import LEGIBLE, OWN_DARK, OWN_LIGHT, unreadable
from portico_contracts.users import FontFamily, Palette
from portico_web.branded_stylesheet import preview_name

from portico_console.messages import message


class Colour(NamedTuple):
    """`name` is the part of the field before ``Color``."""

    name: str
    label: str
    hint: str


COLOURS: Final = (
    Colour("primary", message("Accent"), message("buttons and links")),
    Colour("background", message("Background"), ""),
    Colour("font", message("Text"), ""),
    Colour("warn", message("Warnings"), ""),
)


class Theme(NamedTuple):
    """`suffix` ends the names of the fields; `own` are the default colours; `logo` is the name in the API."""

    key: str
    label: str
    suffix: str
    own: Palette
    logo: str
    logo_url: str


THEMES: Final = (
    Theme("light", message("Light"), "", OWN_LIGHT, "LOGO_THEME_LIGHT", "logoUrl"),
    Theme("dark", message("Dark"), "Dark", OWN_DARK, "LOGO_THEME_DARK", "logoUrlDark"),
)
BY_KEY: Final = {theme.key: theme for theme in THEMES}

FONTS: Final = (
    ("", message("The system's font")),
    *zip(
        ("humanist", "geometric", "rounded", "serif", "slab", "monospace"),
        (message("Humanist"), message("Geometric"), message("Rounded"), message("Serif"), message("Slab serif"), message("Monospace")),
        strict=True,
    ),
)  # fmt: skip

SWITCHES: Final = (
    ("hideLoginNameSuffix", message("Show login names without the domain")),
    ("disableWatermark", message("Hide Portico branding")),
)

_COLOUR: Final = re.compile(r"#[0-9A-Fa-f]{6}\Z")

NO_COLOUR: Final = message("Use the format #rrggbb, or leave it empty for the default.")
TOO_LITTLE: Final = message("The contrast to the background is %(ratio)s:1. At least 4.5:1 is needed.")
TEXT_TOO_LITTLE: Final = message(
    "The contrast of the default colours to this background is %(ratio)s:1. At least 4.5:1 is needed."
)


class Problem(NamedTuple):
    """`text` is a message; `ratio` is its only value."""

    text: str
    ratio: str = ""


def field_of(colour: str, theme: Theme) -> str:
    return f"{colour}Color{theme.suffix}"


def values_of(source: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a policy, or of a form or query, whose switches are absent when they are off."""
    found: dict[str, Any] = {
        field_of(colour.name, theme): str(source.get(field_of(colour.name, theme), "")).strip()
        for theme in THEMES
        for colour in COLOURS
    }
    found["fontFamily"] = str(source.get("fontFamily", ""))
    return found | {name: bool(source.get(name, "")) for name, _label in SWITCHES}


def palette_of(values: Mapping[str, Any], theme: Theme) -> Palette:
    """The colours of a theme; one that is invalid counts as not set."""
    named = {colour.name: values[field_of(colour.name, theme)] for colour in COLOURS}
    return Palette(**{name: value.lower() if _COLOUR.match(value) else "" for name, value in named.items()})


def problems_of(values: Mapping[str, Any]) -> dict[str, Problem]:
    """Returns the problem of each colour, by the same rule as the API."""
    found: dict[str, Problem] = {}
    for theme in THEMES:
        for name, ratio in sorted(unreadable(palette_of(values, theme), theme.own), key=lambda one: -one[1]):
            text = TEXT_TOO_LITTLE if name == "background" else TOO_LITTLE
            # Rounded down: 4.49 must not be shown as 4.5.
            found[field_of(name, theme)] = Problem(text, f"{int(min(ratio, LEGIBLE) * 10) / 10:.1f}")
        for colour in COLOURS:
            field = field_of(colour.name, theme)
            if values[field] and not _COLOUR.match(values[field]):
                found[field] = Problem(NO_COLOUR)
    return found


def stylesheet_of(values: Mapping[str, Any]) -> str:
    """The name of the stylesheet with these colours and this font; the default font for an unknown one."""
    font = values["fontFamily"]
    family = FontFamily(font) if font in set(FontFamily) else FontFamily.SYSTEM
    return preview_name(palette_of(values, THEMES[0]), palette_of(values, THEMES[1]), family)
