from __future__ import annotations

from functools import cache
from importlib.resources import files

from portico_contracts.http import LOGIN_STATIC

from portico_web.static_file import StaticFile


@cache
def stylesheet() -> StaticFile:
    content = files("portico_web").joinpath("static", "portico.css").read_bytes()
    return StaticFile(f"{LOGIN_STATIC}/portico.css", "text/css", content)
