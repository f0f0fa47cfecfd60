from __future__ import annotations

from importlib.resources import files
from typing import Final

from portico_contracts.http import CONSOLE_STATIC
from portico_web.branded_stylesheet import preview_css
from portico_web.static_file import StaticFile


def _joined(folder: str, suffix: str) -> bytes:
    """One file of a folder's parts, in the order of their names."""
    parts = sorted(files("portico_console").joinpath("static", folder).iterdir(), key=lambda part: part.name)
    return b"\n".join(part.read_bytes() for part in parts if part.name.endswith(suffix))


STYLESHEET: Final = StaticFile(f"{CONSOLE_STATIC}/console.css", "text/css", _joined("styles", ".css"))
SCRIPT: Final = StaticFile(f"{CONSOLE_STATIC}/console.js", "text/javascript", _joined("scripts", ".js"))
FILES: Final = (STYLESHEET, SCRIPT)

PREVIEWS: Final = f"{CONSOLE_STATIC}/previews"


def preview_file(name: str) -> StaticFile | None:
    content = preview_css(name)
    return StaticFile(f"{PREVIEWS}/{name}.css", "text/css", content) if content is not None else None
