from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from portico_contracts.users import FontFamily, Palette
from portico_web.branded_stylesheet import preview_name

from portico_console.request_context import RequestContext
from portico_console.static_files import preview_file


class Preview(NamedTuple):
    stylesheet: str
    logo: str
    logo_dark: str


def preview_of(ctx: RequestContext, policy: Mapping[str, Any]) -> Preview | None:
    light = _palette(policy, "")
    dark = _palette(policy, "Dark")
    family = policy.get("fontFamily", "")
    name = preview_name(light, dark, FontFamily(family)) if family in list(FontFamily) else ""
    stylesheet = preview_file(name)
    if stylesheet is None:
        return None
    logo = _logo(ctx, policy.get("logoUrl", ""))
    return Preview(stylesheet.address, logo, _logo(ctx, policy.get("logoUrlDark", "")) or logo)


def _palette(policy: Mapping[str, Any], theme: str) -> Palette:
    return Palette(*(policy.get(f"{name}Color{theme}", "") for name in ("primary", "background", "warn", "font")))


def _logo(ctx: RequestContext, path: str) -> str:
    return f"{ctx.issuer}{path}" if path else ""
