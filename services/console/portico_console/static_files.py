from __future__ import annotations

from importlib.resources import files
from typing import Final

from portico_contracts.http import CONSOLE_STATIC
from portico_web.branded_stylesheet import preview_css
from portico_web.static_file import StaticFile


def _load(name: str, media_type: str) -> StaticFile:
    content = files("portico_console").joinpath("static", name).read_bytes()
    return StaticFile(f"{CONSOLE_STATIC}/{name}", media_type, content)


STYLESHEET: Final = _load("console.css", "text/css")
SCRIPT: Final = _load("console.js", "text/javascript")
FILES: Final = (STYLESHEET, SCRIPT)

PREVIEWS: Final = f"{CONSOLE_STATIC}/previews"


def preview_file(name: str) -> StaticFile | None:
    content = preview_css(name)
    return StaticFile(f"{PREVIEWS}/{name}.css", "text/css", content) if content is not None else None
