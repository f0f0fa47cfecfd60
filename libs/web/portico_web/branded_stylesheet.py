"""Stylesheets with the colours and font of an organization, loaded after the common stylesheet.

The content depends only on the URL, which contains every colour, so it can be cached forever. Only colours of
six hexadecimal digits and fonts of a closed list are accepted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from portico_contracts.colors import LEGIBLE, OWN_DARK, OWN_LIGHT, VISIBLE, contrast, mix, with_primary
from portico_contracts.http import LOGIN_BRANDING
from portico_contracts.users import Branding, FontFamily, Palette

FONTS: Final = {
    FontFamily.HUMANIST: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", source-sans-pro, sans-serif',
    FontFamily.GEOMETRIC: 'Avenir, Montserrat, Corbel, "URW Gothic", source-sans-pro, sans-serif',
    FontFamily.ROUNDED: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, "Arial Rounded MT Bold", sans-serif',
    FontFamily.SERIF: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, "Noto Serif", serif',
    FontFamily.SLAB: 'Rockwell, "Rockwell Nova", "Roboto Slab", "DejaVu Serif", "Sitka Small", serif',
    FontFamily.MONOSPACE: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace',
}
"""Installed fonts only; no web fonts."""

_BLACK: Final = "#000000"
_WHITE: Final = "#ffffff"
_UNSET: Final = "0"
_PATTERN: Final = re.compile(r"((?:(?:[0-9a-f]{6}|0)-){8})([a-z]{1,20})\Z")
_MOST_CONTRAST: Final = ":root{--line:var(--edge);--muted:var(--ink);--edge:var(--ink)}"


def branded_address(branding: Branding) -> str:
    """Returns the path of the stylesheet; empty for the default colours and font."""
    if branding.light == branding.dark == Palette() and branding.font_family is FontFamily.SYSTEM:
        return ""
    return _address(branding.light, branding.dark, branding.font_family)


@lru_cache(maxsize=1_000)
def branded_css(name: str) -> bytes | None:
    found = _read_name(name)
    return "".join(_rules(*found)).encode() if found else None


def preview_name(light: Palette, dark: Palette, family: FontFamily) -> str:
    name = _name(light, dark, family)
    return name if _read_name(name) else ""


@lru_cache(maxsize=1_000)
def preview_css(name: str) -> bytes | None:
    """Returns both themes, independent of the system's preference; None for an invalid name."""
    found = _read_name(name)
    if found is None:
        return None
    light, dark, family = found
    font = f"--text:{FONTS[family]};" if family in FONTS else ""
    shown = ((".preview-light", light, OWN_LIGHT), (".preview-dark", dark, OWN_DARK))
    return "".join(f"{place}{{{font}{_declarations(_whole(one, own), own)}}}" for place, one, own in shown).encode()


def in_theme(content: bytes, theme: str) -> bytes:
    """Returns a stylesheet that has one theme, whatever the system prefers: ``light`` or ``dark``."""
    text = content.decode()
    for one in ("light", "dark"):
        text = text.replace(f"@media (prefers-color-scheme: {one})", "@media all" if one == theme else "@media not all")
    return f"{text}:root{{color-scheme:{theme}}}".encode()


def _whole(palette: Palette, own: Palette) -> Palette:
    return Palette(*(given or default for given, default in zip(_values(palette), _values(own), strict=True)))


@lru_cache(maxsize=1_000)
def _address(light: Palette, dark: Palette, family: FontFamily) -> str:
    name = _name(light, dark, family)
    version = hashlib.sha256(branded_css(name) or b"").hexdigest()[:12]
    return f"{LOGIN_BRANDING}/{name}.css?v={version}"


def _name(light: Palette, dark: Palette, family: FontFamily) -> str:
    colors = (color.removeprefix("#").lower() or _UNSET for palette in (light, dark) for color in _values(palette))
    return "-".join((*colors, _font_name(family)))


def _read_name(name: str) -> tuple[Palette, Palette, FontFamily] | None:
    found = _PATTERN.match(name)
    if found is None or found[2] not in [_font_name(font) for font in FontFamily]:
        return None
    colors = ["" if word == _UNSET else f"#{word}" for word in found[1].split("-")[:-1]]
    family = next(font for font in FontFamily if _font_name(font) == found[2])
    light, dark = Palette(*colors[:4]), Palette(*colors[4:])
    return light, with_primary(dark, light), family


def _font_name(family: FontFamily) -> str:
    return family.value or "system"


def _values(palette: Palette) -> tuple[str, str, str, str]:
    return palette.primary, palette.background, palette.warn, palette.font


def _rules(light: Palette, dark: Palette, family: FontFamily) -> Iterator[str]:
    if stack := FONTS.get(family):
        yield f":root{{--text:{stack};--display:{stack}}}"
    if light != Palette():
        yield f"@media (prefers-color-scheme: light){{:root{{{_declarations(light, OWN_LIGHT)}}}}}"
    if dark != Palette():
        yield f"@media (prefers-color-scheme: dark){{:root{{{_declarations(dark, OWN_DARK)}}}}}"
    # Repeated from the common stylesheet, because it must follow the colours.
    yield f"@media (prefers-contrast: more){{{_MOST_CONTRAST}}}"


def _declarations(palette: Palette, own: Palette) -> str:
    properties: dict[str, str] = {}
    primary, ground, warn, ink = (
        given or default for given, default in zip(_values(palette), _values(own), strict=True)
    )
    if palette.primary:
        on_primary = max(_WHITE, _BLACK, key=lambda color: contrast(color, primary))
        away = _BLACK if on_primary == _WHITE else _WHITE
        properties |= {"accent": primary, "accent-strong": mix(primary, away, 0.18), "on-accent": on_primary}
    if palette.warn or palette.background:
        properties |= {
            "alert": warn,
            "alert-ground": _first([mix(ground, warn, 0.08)], ground, on=[warn], least=LEGIBLE),
        }
    if palette.background or palette.font:
        bay = _first([mix(ground, ink, 0.05), mix(ground, ink, 0.02)], ground, on=[ink], least=LEGIBLE)
        properties |= {
            "panel": ground,
            "bay": bay,
            "wall": mix(ground, ink, 0.1),
            "ink": ink,
            "muted": _first([mix(ink, ground, 0.28), mix(ink, ground, 0.14)], ink, on=[ground, bay], least=LEGIBLE),
            "line": mix(ink, ground, 0.8),
            "edge": _first([mix(ink, ground, 0.45), mix(ink, ground, 0.3)], ink, on=[ground], least=VISIBLE),
            **_success(ground, bay, ink),
        }
    return ";".join(f"--{name}:{value}" for name, value in properties.items())


def _success(ground: str, bay: str, ink: str) -> dict[str, str]:
    """Green on every background, whatever the organization's colour means: red would look like an alarm."""
    good = _first([OWN_LIGHT.primary, OWN_DARK.primary], ink, on=[ground, bay], least=LEGIBLE)
    return {
        "good": good,
        "good-ground": _first([mix(ground, good, 0.1), mix(ground, good, 0.05)], ground, on=[good], least=LEGIBLE),
    }


def _first(candidates: Iterable[str], last: str, *, on: list[str], least: float) -> str:
    return next((color for color in candidates if all(contrast(color, other) >= least for other in on)), last)
