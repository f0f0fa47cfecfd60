from __future__ import annotations

from typing import Any, Final

import structlog
from portico_contracts.users import Branding, FontFamily, Palette
from portico_oauth.errors import ServiceError

from portico_console.management.api import ManagementApi
from portico_console.management.diagnostics import NotSignedIn

log = structlog.get_logger("portico.branding")

_METHOD: Final = "portico.management.v1.CallerService/GetMyBranding"


async def find_branding(api: ManagementApi) -> Branding:
    """Returns the default where the branding cannot be read, because branding must not block a page."""
    try:
        found = await api.call(_METHOD)
    except (ServiceError, NotSignedIn) as error:
        log.warning("branding not available", error=str(error)[:100])
        return Branding()
    family = found.get("fontFamily", "")
    return Branding(
        tos_link=found.get("tosLink", ""),
        privacy_link=found.get("privacyLink", ""),
        help_link=found.get("helpLink", ""),
        support_email=found.get("supportEmail", ""),
        hide_watermark=found.get("disableWatermark", False),
        light=_palette(found.get("light", {})),
        dark=_palette(found.get("dark", {})),
        # Fonts of newer releases are unknown.
        font_family=FontFamily(family) if family in list(FontFamily) else FontFamily.SYSTEM,
        logo=found.get("logoUrl", ""),
        logo_dark=found.get("logoUrlDark", ""),
        logo_text=found.get("logoText", ""),
    )


def _palette(colors: dict[str, Any]) -> Palette:
    return Palette(*(colors.get(name, "") for name in ("primary", "background", "warn", "font")))
