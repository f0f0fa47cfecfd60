"""HTTP in: the login page of a request, and the pages and files that stand by themselves."""

from __future__ import annotations

from typing import Final

from portico_contracts.http import LOGGED_OUT, LOGIN, LOGIN_STATIC
from portico_web.pages import page
from portico_web.surfaces import html_page, surfaced
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portico_login_ui.error_page import login_error_page
from portico_login_ui.login_flow import LoginFlow
from portico_login_ui.stylesheet_file import serve_stylesheet

_READ: Final = ["GET", "HEAD"]


def login_routes(flow: LoginFlow) -> list[Route]:
    """``/ui/login?request=<id>``: GET shows the step, POST answers it."""

    async def login(request: Request) -> Response:
        if request.method == "POST":
            return await flow.take_answer(request)
        return await flow.show_step(request)

    return [Route(LOGIN, surfaced(login, login_error_page), methods=[*_READ, "POST"])]


def standing_routes() -> list[Route]:
    """The signed-out page and the stylesheet of all pages, authz's too."""

    async def logged_out(_request: Request) -> Response:
        return page("logged_out.html", package="portico_login_ui")

    async def css(request: Request) -> Response:
        return serve_stylesheet(request)

    return [
        Route(LOGGED_OUT, surfaced(logged_out, html_page), methods=_READ),
        Route(f"{LOGIN_STATIC}/portico.css", surfaced(css, html_page), methods=_READ),
    ]
