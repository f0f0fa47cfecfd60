"""The theme a person chose for the pages of this browser; without a choice it follows the system."""

from __future__ import annotations

from typing import Final

from portico_contracts.users import Branding
from portico_web.branded_stylesheet import branded_address, preview_name
from portico_web.cookies import ONE_YEAR, set_cookie
from starlette.requests import Request

from portico_console.sessions.session import SessionCookie
from portico_console.static_files import PREVIEWS

THEMES: Final = ("light", "dark")


def theme_of(request: Request, origin: str) -> str:
    """Empty without a choice."""
    found = SessionCookie("theme", origin).read(request.headers.get("cookie"))
    return found if found in THEMES else ""


def theme_cookie(theme: str, origin: str) -> str:
    cookie = SessionCookie("theme", origin)
    if theme not in THEMES:
        return cookie.clear()
    return set_cookie(cookie.name, theme, secure=origin.startswith("https://"), max_age=ONE_YEAR)


def themed_stylesheet(branding: Branding, theme: str) -> str:
    """The stylesheet with an organization's colours. With a chosen theme it is the one of the preview, which has the
    colours of both themes independent of the system.
    """
    if theme and branded_address(branding):
        return f"{PREVIEWS}/{preview_name(branding.light, branding.dark, branding.font_family)}.css"
    return branded_address(branding)
