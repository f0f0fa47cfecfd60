"""HTTP in: the login page of a request, and the pages and files that stand by themselves."""

from __future__ import annotations

from fastapi import APIRouter
from portico_contracts.http import LOGGED_OUT, LOGIN, LOGIN_STATIC
from portico_web.pages import page
from portico_web.surfaces import html_page, surface
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.error_page import login_error_page
from portico_login_ui.login_flow import LoginFlow
from portico_login_ui.stylesheet_file import serve_stylesheet


def login_routes(flow: LoginFlow) -> APIRouter:
    """``/ui/login?request=<id>``: GET shows the step, POST answers it."""
    router = APIRouter(route_class=surface(login_error_page))

    @router.api_route(LOGIN, methods=["GET", "HEAD", "POST"])
    async def login(request: Request) -> Response:
        if request.method == "POST":
            return await flow.take_answer(request)
        return await flow.show_step(request)

    return router


def standing_routes() -> APIRouter:
    """The signed-out page and the stylesheet of all pages, authz's too."""
    router = APIRouter(route_class=surface(html_page))

    @router.api_route(LOGGED_OUT, methods=["GET", "HEAD"])
    async def logged_out() -> Response:
        return page("logged_out.html", package="portico_login_ui")

    @router.api_route(f"{LOGIN_STATIC}/portico.css", methods=["GET", "HEAD"])
    async def css(request: Request) -> Response:
        return serve_stylesheet(request)

    return router
