"""The one script of the login pages: loaded by the pages of keys, and allowed by their policy alone."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from portico_contracts.http import LOGIN_STATIC

from portico_login_ui.static_file import StaticFile


@cache
def key_script() -> StaticFile:
    """The script that came with this package."""
    content = files("portico_login_ui").joinpath("static", "webauthn.js").read_bytes()
    return StaticFile(f"{LOGIN_STATIC}/webauthn.js", "text/javascript", content)
