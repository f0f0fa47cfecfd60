from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from portico_contracts.users import FontFamily, Palette
from portico_web.branded_stylesheet import preview_name

from portico_console.static_files import preview_file
from portico_console.visit import Visit


class Preview(NamedTuple):
    stylesheet: str
    logo: str
    logo_dark: str


def preview_of(visit: Visit, policy: Mapping[str, Any]) -> Preview | None:
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
