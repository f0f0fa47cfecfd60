from __future__ import annotations

from functools import lru_cache

from portico_contracts import http
from portico_oauth.opaque import fingerprint
from portico_oauth.parameters import read_parameters
from portico_web.acting_get import acting_get
from portico_web.client_address import client_address
from portico_web.cross_origin import public_document
from portico_web.devices import read_device
from portico_web.forms import read_form
from portico_web.headers import find_header
from portico_web.languages import read_languages
from portico_web.surfaces import oauth_json, render_errors
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portico_authz.authorize.pipeline import authorize, store_posted_request
from portico_authz.authorize.resume import resume
from portico_authz.checked_request import UserAgent
from portico_authz.dependencies import Dependencies
from portico_authz.discovery import Discovery
from portico_authz.error_page import error_page
from portico_authz.login.leave_to_provider import leave_at_once
from portico_authz.login_sessions.resume_with_proof import resume_with_proof
from portico_authz.logout.end_session import end_session, store_posted_logout
from portico_authz.refused import describe_authorization, describe_logout, observe
from portico_authz.users_client import UsersClient


def discovery_routes(discovery: Discovery, users_client: UsersClient) -> list[Route]:
    endpoint = public_document(render_errors(discovery.serve, oauth_json), users_client.is_known_origin)
    return [Route(http.DISCOVERY, endpoint, methods=["GET", "OPTIONS"])]


def authorize_routes(deps: Dependencies) -> list[Route]:
    async def get(request: Request) -> Response:
        parameters = read_parameters(request.scope["query_string"])
        return await authorize(deps, parameters, _user_agent(deps, request), leave_at_once)

    async def post(request: Request) -> Response:
        form = await read_form(request, with_query=True)
        return await store_posted_request(deps, form, _user_agent(deps, request))

    async def get_resume(request: Request) -> Response:
        parameters = read_parameters(request.scope["query_string"])
        id, proof = parameters.get("request", ""), parameters.get("proof", "")
        user_agent = _user_agent(deps, request)
        return await (resume_with_proof(deps, id, proof, user_agent) if proof else resume(deps, id, user_agent))

    async def get_or_post(request: Request) -> Response:
        return await (post(request) if request.method == "POST" else get(request))

    observed = observe(deps, describe_authorization)
    return [
        Route(http.AUTHORIZE, acting_get(render_errors(get_or_post, error_page, observed)), methods=["GET", "POST"]),
        Route(http.AUTHORIZE_RESUME, acting_get(render_errors(get_resume, error_page, observed)), methods=["GET"]),
    ]


def logout_routes(deps: Dependencies) -> list[Route]:
    async def get(request: Request) -> Response:
        return await end_session(deps, read_parameters(request.scope["query_string"]), _handle(deps, request))

    async def post(request: Request) -> Response:
        form = await read_form(request, with_query=True)
        return await store_posted_logout(deps, form, _client_address(deps, request))

    async def get_or_post(request: Request) -> Response:
        return await (post(request) if request.method == "POST" else get(request))

    guarded = acting_get(render_errors(get_or_post, error_page, observe(deps, describe_logout)))
    return [Route(http.END_SESSION, guarded, methods=["GET", "POST"])]


def _user_agent(deps: Dependencies, request: Request) -> UserAgent:
    address = client_address(request, deps.proxies)
    return UserAgent(
        handle=_handle(deps, request),
        languages=read_languages(request),
        device=read_device(request),
        client_address=_fingerprint_of_address(address),
        country=deps.countries.find(address) if deps.countries else "",
        address=address,
    )


def _client_address(deps: Dependencies, request: Request) -> str:
    return _fingerprint_of_address(client_address(request, deps.proxies))


def _handle(deps: Dependencies, request: Request) -> str:
    return deps.cookie.read(find_header(request, b"cookie"))


_fingerprint_of_address = lru_cache(maxsize=1_000)(fingerprint)
