from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from portico_contracts.users.branding import Palette

LEGIBLE: Final = 4.5

VISIBLE: Final = 3.0
"""Minimum contrast of the border of a field (success criterion 1.4.11)."""

OWN_LIGHT: Final = Palette(primary="#1d5c4c", background="#fcfdfc", warn="#94281c", font="#17211e")
OWN_DARK: Final = Palette(primary="#8ed1ba", background="#171e1b", warn="#ffb3a5", font="#e9efeb")


_STEPS: Final = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75)


def with_primary(dark: Palette, light: Palette) -> Palette:
    """Returns the dark palette with a lighter tone of the light theme's primary colour where it has none."""
    if dark.primary or not light.primary:
        return dark
    ground = dark.background or OWN_DARK.background
    tones = (mix(light.primary, away, part) for away in ("#ffffff", "#000000") for part in _STEPS)
    return replace(dark, primary=next((tone for tone in tones if contrast(tone, ground) >= LEGIBLE), ""))


def mix(color: str, other: str, part: float) -> str:
    channels = ((int(color[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one + (two - one) * part):02x}" for one, two in channels)


def contrast(one: str, other: str) -> float:
    """Returns the contrast ratio of two colours ``#rrggbb``, from 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def unreadable(palette: Palette, own: Palette) -> list[tuple[str, float]]:
    """Returns the colours that cannot be read: the name of the colour to change, and the contrast.

    Args:
        palette: the chosen colours, each ``#rrggbb`` or empty for the default.
        own: the defaults of the theme.
    """
    if palette == Palette():
        return []
    ground = palette.background or own.background
    found: list[tuple[str, float]] = []
    for name in ("primary", "warn", "font"):
        color = getattr(palette, name)
        ratio = contrast(color or getattr(own, name), ground)
        if ratio < LEGIBLE:
            found.append((name if color else "background", ratio))
    return found


def _luminance(color: str) -> float:
    red, green, blue = (_linear(int(color[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)
