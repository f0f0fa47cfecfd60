"""The script of some login pages, which only the CSP of these pages allows."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from portico_contracts.http import LOGIN_STATIC
from portico_web.static_file import StaticFile


@cache
def page_script() -> StaticFile:
    content = files("portico_login_ui").joinpath("static", "pages.js").read_bytes()
    return StaticFile(f"{LOGIN_STATIC}/pages.js", "text/javascript", content)


def loads(script: StaticFile, issuer: str) -> dict[str, str]:
    return {"script": script.address, "script_uri": issuer + script.path}
