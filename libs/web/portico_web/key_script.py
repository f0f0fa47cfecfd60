"""The script that asks an authenticator (WebAuthn): served by login-ui, loaded by the pages that need it, ours and console's."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from portico_contracts.http import LOGIN_STATIC

from portico_web.static_file import StaticFile


@cache
def key_script() -> StaticFile:
    """Asks an authenticator (WebAuthn)."""
    content = files("portico_web").joinpath("static", "webauthn.js").read_bytes()
    return StaticFile(f"{LOGIN_STATIC}/webauthn.js", "text/javascript", content)
