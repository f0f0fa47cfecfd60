from __future__ import annotations

from functools import cache
from importlib.resources import files

from portico_contracts.http import LOGIN_STATIC

from portico_web.static_file import StaticFile


@cache
def key_script() -> StaticFile:
    content = files("portico_web").joinpath("static", "webauthn.js").read_bytes()
    return StaticFile(f"{LOGIN_STATIC}/webauthn.js", "text/javascript", content)
