"""HTTP in: read parameters and cookie, call, answer. One list of routes per surface."""

from __future__ import annotations

from portico_contracts import http
from portico_oauth.parameters import read_parameters
from portico_web.forms import read_form
from portico_web.languages import read_languages
from portico_web.surfaces import oauth_json, surfaced
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portico_authz.authorize.pipeline import authorize, park_post
from portico_authz.authorize.resume import resume
from portico_authz.desk import Desk
from portico_authz.discovery import Discovery
from portico_authz.error_page import error_page
from portico_authz.logout.end_session import end_session, park_logout


def discovery_routes(issuer: str) -> list[Route]:
    """Public documents."""
    return [Route(http.DISCOVERY, surfaced(Discovery(issuer).serve, oauth_json), methods=["GET"])]


def authorize_routes(desk: Desk) -> list[Route]:
    """What a browser is sent to; errors without a proven address are pages."""

    async def get(request: Request) -> Response:
        parameters = read_parameters(request.scope["query_string"])
        return await authorize(desk, parameters, _handle(desk, request), read_languages(request))

    async def post(request: Request) -> Response:
        return await park_post(desk, await read_form(request, with_query=True), read_languages(request))

    async def get_resume(request: Request) -> Response:
        parameters = read_parameters(request.scope["query_string"])
        return await resume(desk, parameters.get("request", ""), _handle(desk, request), read_languages(request))

    async def get_or_post(request: Request) -> Response:
        return await (post(request) if request.method == "POST" else get(request))

    return [
        Route(http.AUTHORIZE, surfaced(get_or_post, error_page), methods=["GET", "POST"]),
        Route(http.AUTHORIZE_RESUME, surfaced(get_resume, error_page), methods=["GET"]),
    ]


def logout_routes(desk: Desk) -> list[Route]:
    """Where a browser is sent to sign out; errors are pages."""

    async def get(request: Request) -> Response:
        return await end_session(desk, read_parameters(request.scope["query_string"]), _handle(desk, request))

    async def post(request: Request) -> Response:
        return await park_logout(desk, await read_form(request, with_query=True))

    async def get_or_post(request: Request) -> Response:
        return await (post(request) if request.method == "POST" else get(request))

    return [Route(http.END_SESSION, surfaced(get_or_post, error_page), methods=["GET", "POST"])]


def _handle(desk: Desk, request: Request) -> str:
    return desk.cookie.read(request.headers.get("cookie"))
