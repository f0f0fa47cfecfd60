from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec
from portico_contracts.colors import OWN_DARK, OWN_LIGHT, unreadable
from portico_contracts.users import FontFamily, Palette
from portico_oauth.errors import ErrorCode, Kind

from portico_users.values.problems import Problem, Problems

INVALID_COLOR = ErrorCode(
    "USER-620", Kind.INVALID_REQUEST, "Invalid color.", "Use the format #rrggbb, or leave it empty."
)
UNREADABLE = ErrorCode(
    "USER-901",
    Kind.INVALID_REQUEST,
    "This color has too little contrast to the background.",
    "Use a contrast of at least 4.5 to 1 for text, links and warnings in each theme, or leave"
    " the color empty for the default.",
)
FONT_UNKNOWN = ErrorCode(
    "USER-902",
    Kind.INVALID_REQUEST,
    "Unknown font.",
    "Use humanist, geometric, rounded, serif, slab or monospace, or leave it empty.",
)

_COLOR: Final = re.compile(r"#[0-9A-Fa-f]{6}\Z")


class Label(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    primary_color: str = ""
    background_color: str = ""
    warn_color: str = ""
    font_color: str = ""
    primary_color_dark: str = ""
    background_color_dark: str = ""
    warn_color_dark: str = ""
    font_color_dark: str = ""
    hide_login_name_suffix: bool = False
    disable_watermark: bool = False
    font_family: str = ""


class _Theme(NamedTuple):
    """A theme: its colors, the defaults, and the suffix of its field names."""

    palette: Palette
    own: Palette
    suffix: str


def light_of(label: Label) -> Palette:
    return Palette(label.primary_color, label.background_color, label.warn_color, label.font_color)


def dark_of(label: Label) -> Palette:
    return Palette(label.primary_color_dark, label.background_color_dark, label.warn_color_dark, label.font_color_dark)


def can_be_read(palette: Palette, own: Palette) -> bool:
    """Checks that all colors are valid and have enough contrast for text."""
    return not list(_problems_of_theme(_Theme(palette, own, "")))


def problems_of(label: Label) -> Problems:
    for theme in (_Theme(light_of(label), OWN_LIGHT, ""), _Theme(dark_of(label), OWN_DARK, "Dark")):
        yield from _problems_of_theme(theme)
    if label.font_family not in set(FontFamily):
        yield Problem("fontFamily", FONT_UNKNOWN)


def _problems_of_theme(theme: _Theme) -> Problems:
    wrong = [name for name, color in _colors(theme.palette) if color and not _COLOR.match(color)]
    for name in wrong:
        yield Problem(f"{name}Color{theme.suffix}", INVALID_COLOR)
    if not wrong:
        for name, _contrast in unreadable(theme.palette, theme.own):
            yield Problem(f"{name}Color{theme.suffix}", UNREADABLE)


def _colors(palette: Palette) -> Iterator[tuple[str, str]]:
    return ((name, getattr(palette, name)) for name in Palette.__struct_fields__)
