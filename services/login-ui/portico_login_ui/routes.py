"""HTTP in: the login page of a request, the logout page, and the pages and files that need neither."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from portico_contracts.http import (
    EXTERNAL_CALLBACK,
    FIRST_RUN_PAGE,
    FORGOT_PASSWORD_PAGE,
    HOME,
    JWT_AUTHORIZE,
    JWT_CALLBACK,
    LOGGED_OUT,
    LOGIN,
    LOGIN_BRANDING,
    LOGIN_STATIC,
    LOGOUT,
    PASSKEY_OPTIONS,
    RECOVERY_PAGE,
    REGISTER_PASSKEY_PAGE,
    SET_PASSWORD_PAGE,
    VERIFY_EMAIL_PAGE,
)
from portico_oauth.errors import PATH_NOT_FOUND, ServiceError
from portico_web.branded_stylesheet import branded_css
from portico_web.key_script import key_script
from portico_web.languages import pick_language, read_languages
from portico_web.pages import page
from portico_web.static_file import StaticFile, serve_file
from portico_web.stylesheet import stylesheet
from portico_web.surfaces import render_errors, rpc_status
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portico_login_ui.error_page import flow_error_page, own_error_page
from portico_login_ui.external_flow import ExternalFlow
from portico_login_ui.first_run_flow import FirstRunFlow
from portico_login_ui.forgotten_flow import ForgottenFlow
from portico_login_ui.home_page import HomePage
from portico_login_ui.link_flow import LinkFlow
from portico_login_ui.login_flow import LoginFlow
from portico_login_ui.logout_flow import LogoutFlow
from portico_login_ui.passkey_flow import PasskeyFlow
from portico_login_ui.recovery_flow import RecoveryFlow
from portico_login_ui.scripts import password_script

_READ: Final = ["GET", "HEAD"]

Endpoint = Callable[[Request], Awaitable[Response]]
ErrorPage = Callable[[ServiceError, Request], Response]


def home_routes(home: HomePage) -> list[Route]:
    """``/``, and nothing below it."""
    return [Route(HOME, render_errors(home.show, own_error_page), methods=_READ)]


def login_routes(flow: LoginFlow) -> list[Route]:
    """``/ui/login?request=<id>``: GET shows the step, POST answers it. What scripts request is JSON."""
    return [
        _form_route(LOGIN, flow.show_step, flow.submit_answer),
        Route(PASSKEY_OPTIONS, render_errors(flow.offer_passkey, rpc_status), methods=["POST"]),
    ]


def external_routes(flow: ExternalFlow) -> list[Route]:
    """The callbacks of other identity providers. A look without a body changes nothing: HEAD is refused."""

    def callback(path: str, get: Endpoint, post: Endpoint | None = None) -> Route:
        async def take(request: Request) -> Response:
            if request.method == "HEAD":
                return Response(status_code=405, headers={"Allow": "GET, POST" if post else "GET"})
            return await (post(request) if post and request.method == "POST" else get(request))

        return Route(path, render_errors(take, flow_error_page), methods=["GET", "POST"] if post else ["GET"])

    return [
        callback(EXTERNAL_CALLBACK, flow.come_back, flow.take_post),
        callback(JWT_AUTHORIZE, flow.take_jwt),
        callback(JWT_CALLBACK, flow.come_back_with_jwt),
    ]


def logout_routes(flow: LogoutFlow) -> list[Route]:
    """``/ui/login/logout?request=<id>``: GET shows a button, POST confirms."""
    return [_form_route(LOGOUT, flow.show_confirmation, flow.submit_confirmation)]


def link_routes(flow: LinkFlow, forgotten: ForgottenFlow) -> list[Route]:
    """The pages that links in emails lead to: GET shows a button, POST acts."""
    return [
        _form_route(VERIFY_EMAIL_PAGE, flow.show_verification, flow.submit_verification, own_error_page),
        _form_route(SET_PASSWORD_PAGE, flow.show_new_password, flow.submit_new_password, own_error_page),
        _form_route(FORGOT_PASSWORD_PAGE, forgotten.show, forgotten.submit, own_error_page),
    ]


def passkey_routes(flow: PasskeyFlow) -> list[Route]:
    """The page of the link in an email that registers a passkey: GET shows a button, POST acts."""
    return [_form_route(REGISTER_PASSKEY_PAGE, flow.show, flow.submit, own_error_page)]


def first_run_routes(flow: FirstRunFlow) -> list[Route]:
    """The page of the one-time link that creates the first administrator: only POST acts."""
    return [_form_route(FIRST_RUN_PAGE, flow.show, flow.submit, own_error_page)]


def recovery_routes(flow: RecoveryFlow) -> list[Route]:
    """The page of the link in a notice: GET shows a button, POST acts."""
    return [_form_route(RECOVERY_PAGE, flow.show, flow.submit, own_error_page)]


def standing_routes() -> list[Route]:
    """The signed-out page, the stylesheets of all pages, authz's too, and the scripts of some of ours."""
    styles = StaticFile(f"{LOGIN_STATIC}/portico.css", "text/css", stylesheet().content)

    async def logged_out(request: Request) -> Response:
        return page("logged_out.html", package="portico_login_ui", language=pick_language(read_languages(request)))

    async def branded(request: Request) -> Response:
        content = branded_css(request.path_params["name"])
        if content is None:
            raise PATH_NOT_FOUND.error()
        return serve_file(request, StaticFile(request.scope["path"], "text/css", content))

    def serve(file: StaticFile) -> Route:
        async def content(request: Request) -> Response:
            return serve_file(request, file)

        return Route(file.path, render_errors(content, own_error_page), methods=_READ)

    return [
        Route(LOGGED_OUT, render_errors(logged_out, own_error_page), methods=_READ),
        Route(f"{LOGIN_BRANDING}/{{name}}.css", render_errors(branded, own_error_page), methods=_READ),
        *(serve(file) for file in (styles, key_script(), password_script())),
    ]


def _form_route(path: str, show: Endpoint, submit: Endpoint, error_page: ErrorPage = flow_error_page) -> Route:
    async def show_or_submit(request: Request) -> Response:
        return await (submit(request) if request.method == "POST" else show(request))

    return Route(path, render_errors(show_or_submit, error_page), methods=[*_READ, "POST"])
