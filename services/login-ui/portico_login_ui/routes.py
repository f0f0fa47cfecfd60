"""HTTP in: the login page of a request, the logout page, and the pages and files that stand by themselves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from portico_contracts.http import LOGGED_OUT, LOGIN, LOGIN_STATIC, LOGOUT
from portico_web.languages import pick_language, read_languages
from portico_web.pages import page
from portico_web.surfaces import surfaced
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portico_login_ui.error_page import flow_error_page, own_error_page
from portico_login_ui.login_flow import LoginFlow
from portico_login_ui.logout_flow import LogoutFlow
from portico_login_ui.stylesheet_file import serve_stylesheet

_READ: Final = ["GET", "HEAD"]

Endpoint = Callable[[Request], Awaitable[Response]]


def login_routes(flow: LoginFlow) -> list[Route]:
    """``/ui/login?request=<id>``: GET shows the step, POST answers it."""
    return [_form_route(LOGIN, flow.show_step, flow.take_answer)]


def logout_routes(flow: LogoutFlow) -> list[Route]:
    """``/ui/login/logout?request=<id>``: GET asks, POST confirms."""
    return [_form_route(LOGOUT, flow.show_question, flow.take_confirmation)]


def standing_routes() -> list[Route]:
    """The signed-out page and the stylesheet of all pages, authz's too."""

    async def logged_out(request: Request) -> Response:
        return page("logged_out.html", package="portico_login_ui", language=pick_language(read_languages(request)))

    async def css(request: Request) -> Response:
        return serve_stylesheet(request)

    return [
        Route(LOGGED_OUT, surfaced(logged_out, own_error_page), methods=_READ),
        Route(f"{LOGIN_STATIC}/portico.css", surfaced(css, own_error_page), methods=_READ),
    ]


def _form_route(path: str, show: Endpoint, take: Endpoint) -> Route:
    async def show_or_take(request: Request) -> Response:
        return await (take(request) if request.method == "POST" else show(request))

    return Route(path, surfaced(show_or_take, flow_error_page), methods=[*_READ, "POST"])
