"""Shows a guide: the text of ``docs/guides`` as `make gen` wrote it, in the version of this installation."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from starlette.responses import Response

from portico_console.console_app.rights import load_frame_around
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.guides import GUIDES
from portico_console.request_context import RequestContext

NO_GUIDE = ErrorCode("CONS-276", Kind.NOT_FOUND, "Guide not found.", "Open the help of a page.")
_PACKAGE: Final = "portico_console"


async def show_guide(ctx: RequestContext) -> Response:
    name = ctx.path["guide"]
    if name not in GUIDES:
        raise NO_GUIDE.error()
    return framed(ctx, "help.html", await load_frame_around(ctx), "help", text=_guide(name))


@cache
def _guide(name: str) -> str:
    return (files(_PACKAGE) / "guides" / f"{name}.html").read_text()
