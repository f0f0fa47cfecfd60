from __future__ import annotations

from importlib.resources import files
from typing import Final

from portico_contracts.http import CONSOLE_STATIC
from portico_web.branded_stylesheet import branded_css, in_theme, preview_css
from portico_web.static_file import StaticFile
from portico_web.stylesheet import stylesheet


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


SIGN_IN_PAGES: Final = "sign-in-pages"
"""Name of the common stylesheet of the sign-in pages among the samples."""


def sample_file(theme: str, name: str) -> StaticFile | None:
    """A stylesheet of the sign-in pages in one theme: the common one, or one whose name has all colours."""
    content = stylesheet().content if name == SIGN_IN_PAGES else branded_css(name)
    if content is None or theme not in ("light", "dark"):
        return None
    return StaticFile(f"{PREVIEWS}/{theme}/{name}.css", "text/css", in_theme(content, theme))
