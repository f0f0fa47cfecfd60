"""What the sign-in page looks like with the colours of a label policy, those typed but not stored among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from portico_contracts.users import FontFamily, Palette
from portico_web.branded_stylesheet import preview_name

from portico_console.static_files import preview_file
from portico_console.visit import Visit


class Preview(NamedTuple):
    """How it is shown.

    Attributes:
        stylesheet: address of its colours.
        logo, logo_dark: addresses; empty where there is none.
    """

    stylesheet: str
    logo: str
    logo_dark: str


def preview_of(visit: Visit, policy: Mapping[str, Any]) -> Preview | None:
    """The preview of a label policy as the API answers it; None for colours that are none."""
    light = _palette(policy, "")
    dark = _palette(policy, "Dark")
    family = policy.get("fontFamily", "")
    name = preview_name(light, dark, FontFamily(family)) if family in list(FontFamily) else ""
    stylesheet = preview_file(name)
    if stylesheet is None:
        return None
    logo = _logo(visit, policy.get("logoUrl", ""))
    return Preview(stylesheet.address, logo, _logo(visit, policy.get("logoUrlDark", "")) or logo)


def _palette(policy: Mapping[str, Any], theme: str) -> Palette:
    return Palette(*(policy.get(f"{name}Color{theme}", "") for name in ("primary", "background", "warn", "font")))


def _logo(visit: Visit, path: str) -> str:
    return f"{visit.issuer}{path}" if path else ""
