"""Scripts of the login pages; each is allowed only by the CSP of the pages that need it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from portico_contracts.http import LOGIN_STATIC
from portico_web.static_file import StaticFile


def password_script() -> StaticFile:
    return _script("password.js")


def codes_script() -> StaticFile:
    return _script("codes.js")


def loads(script: StaticFile, issuer: str) -> dict[str, str]:
    return {"script": script.address, "script_uri": issuer + script.path}


@cache
def _script(name: str) -> StaticFile:
    content = files("portico_login_ui").joinpath("static", name).read_bytes()
    return StaticFile(f"{LOGIN_STATIC}/{name}", "text/javascript", content)
