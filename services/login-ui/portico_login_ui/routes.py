from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from portico_contracts.http import (
    DEVICE_PAGE,
    EXTERNAL_CALLBACK,
    FIRST_RUN_PAGE,
    FORGOT_PASSWORD_PAGE,
    HOME,
    JWT_AUTHORIZE,
    JWT_CALLBACK,
    LANGUAGE_CHOICE,
    LOGGED_OUT,
    LOGIN,
    LOGIN_BRANDING,
    LOGIN_STATIC,
    LOGOUT,
    PASSKEY_OPTIONS,
    RECOVERY_PAGE,
    REGISTER_PASSKEY_PAGE,
    SET_PASSWORD_PAGE,
    STAYS,
    VERIFY_EMAIL_PAGE,
)
from portico_oauth.errors import PATH_NOT_FOUND, ServiceError
from portico_oauth.parameters import read_parameters
from portico_web.acting_get import acting_get
from portico_web.branded_stylesheet import branded_css
from portico_web.key_script import key_script
from portico_web.static_file import StaticFile, serve_file
from portico_web.stylesheet import stylesheet
from portico_web.surfaces import render_errors, rpc_status
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portico_login_ui.device_flow import DeviceFlow
from portico_login_ui.error_page import flow_error_page, own_error_page
from portico_login_ui.external_flow import ExternalFlow
from portico_login_ui.first_run_flow import FirstRunFlow
from portico_login_ui.flow import FlowParts, own_page
from portico_login_ui.forgotten_flow import ForgottenFlow
from portico_login_ui.home_page import HomePage
from portico_login_ui.language_flow import LanguageFlow
from portico_login_ui.link_flow import LinkFlow
from portico_login_ui.login_flow import LoginFlow
from portico_login_ui.logout_flow import LogoutFlow
from portico_login_ui.passkey_flow import PasskeyFlow
from portico_login_ui.recovery_flow import RecoveryFlow
from portico_login_ui.scripts import page_script

_READ: Final = ["GET", "HEAD"]

Endpoint = Callable[[Request], Awaitable[Response]]
ErrorPage = Callable[[ServiceError, Request], Response]


def routes(parts: FlowParts) -> list[Route]:
    """The routes of this service: GET shows a page, and POST submits its form."""
    login, logout, links = LoginFlow(parts), LogoutFlow(parts), LinkFlow(parts)
    forgotten, passkey, external = ForgottenFlow(parts), PasskeyFlow(parts), ExternalFlow(parts, login)
    first_run, recovery, device = FirstRunFlow(parts), RecoveryFlow(parts), DeviceFlow(parts)
    return [
        Route(HOME, render_errors(HomePage(parts).show, own_error_page), methods=_READ),
        _form_route(LOGIN, login.show_step, login.submit_answer, acts=True),
        Route(PASSKEY_OPTIONS, render_errors(login.offer_passkey, rpc_status), methods=["POST"]),
        _callback(EXTERNAL_CALLBACK, external.come_back, external.take_post),
        _callback(JWT_AUTHORIZE, external.take_jwt),
        _callback(JWT_CALLBACK, external.come_back_with_jwt),
        _form_route(LOGOUT, logout.show_confirmation, logout.submit_confirmation),
        _form_route(VERIFY_EMAIL_PAGE, links.show_verification, links.submit_verification, own_error_page),
        _form_route(SET_PASSWORD_PAGE, links.show_new_password, links.submit_new_password, own_error_page),
        _form_route(FORGOT_PASSWORD_PAGE, forgotten.show, forgotten.submit, own_error_page),
        _form_route(REGISTER_PASSKEY_PAGE, passkey.show, passkey.submit, own_error_page),
        _form_route(FIRST_RUN_PAGE, first_run.show, first_run.submit, own_error_page),
        _form_route(RECOVERY_PAGE, recovery.show, recovery.submit, own_error_page),
        _form_route(DEVICE_PAGE, device.show, device.submit, own_error_page),
        Route(LANGUAGE_CHOICE, render_errors(LanguageFlow(parts).choose, own_error_page), methods=["POST"]),
        *_stateless_routes(),
    ]


def _callback(path: str, get: Endpoint, post: Endpoint | None = None) -> Route:
    """A callback of another identity provider."""

    async def take(request: Request) -> Response:
        return await (post(request) if post and request.method == "POST" else get(request))

    methods = ["GET", "POST"] if post else ["GET"]
    return Route(path, acting_get(render_errors(take, flow_error_page)), methods=methods)


def _stateless_routes() -> list[Route]:
    """The signed-out page, the stylesheets of all pages, authz's too, and the scripts of some of ours."""
    styles = StaticFile(f"{LOGIN_STATIC}/portico.css", "text/css", stylesheet().content)

    async def logged_out(request: Request) -> Response:
        stays = STAYS in read_parameters(request.scope["query_string"])
        return own_page("logged_out.html", request, stays=stays)

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
        *(serve(file) for file in (styles, key_script(), page_script())),
    ]


def _form_route(
    path: str, show: Endpoint, submit: Endpoint, error_page: ErrorPage = flow_error_page, *, acts: bool = False
) -> Route:
    """`acts`: showing the page may send a code or begin at a provider; pages of emailed links only show a button."""

    async def show_or_submit(request: Request) -> Response:
        return await (submit(request) if request.method == "POST" else show(request))

    endpoint = render_errors(show_or_submit, error_page)
    return Route(path, acting_get(endpoint) if acts else endpoint, methods=[*_READ, "POST"])
