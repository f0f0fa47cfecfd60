"""Callbacks of other identity providers: forwards them to authz, and continues the sign-in (decision 0047).

Requests without the browser's cookie (a cross-site POST, or a JWT from a proxy on another domain) are parked
at authz, and the browser is redirected to our origin, where it sends the cookie (SameSite=Lax).
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from portico_contracts.http import EXTERNAL_CALLBACK, JWT_CALLBACK, LOGIN
from portico_contracts.login import Problem
from portico_contracts.login_calls import GET_JWT_HEADER, PARK_EXTERNAL, PARK_JWT, RETURN_EXTERNAL
from portico_contracts.login_external import GetJwtHeader, Parked, ParkExternal, ParkJwt, ReturnExternal
from portico_contracts.login_steps.done import DoneStep
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.parameters import Parameters, read_parameters
from portico_web.client_address import client_address
from portico_web.forms import read_form
from portico_web.headers import list_headers
from portico_web.language_choice import language_chosen_in
from portico_web.languages import read_languages
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.flow import Flow, FlowParts
from portico_login_ui.login_flow import LoginFlow
from portico_login_ui.request_context import INCOMPLETE_LINK, NO_COOKIE, RequestContext, address_of

NO_JWT = ErrorCode(
    "LOGIN-030",
    Kind.INVALID_REQUEST,
    "The response of the identity provider is incomplete.",
    "Make the proxy send exactly one JWT, in the header configured for the provider.",
)
MAX_ID: Final = 200
HANDLE: Final = "handle"
_BEARER: Final = "bearer "


class ExternalFlow(Flow):
    """Handles callbacks of providers. Stateless; all input is untrusted."""

    def __init__(self, parts: FlowParts, login: LoginFlow) -> None:
        super().__init__(parts)
        self._login = login

    async def come_back(self, request: Request) -> Response:
        parameters = read_parameters(request.scope["query_string"])
        parameters.refuse_repeats()
        return await self._return(request, parameters, _provider_in(request))

    async def take_post(self, request: Request) -> Response:
        """``response_mode=form_post``: parks the cross-site POST, and redirects to the path with a handle (303)."""
        form = await read_form(request, with_query=True)
        form.refuse_repeats()
        provider_id = _provider_in(request)
        parked = await self._authz.call(
            PARK_EXTERNAL,
            ParkExternal(
                provider_id=provider_id, parameters=dict(form), address=client_address(request, self._proxies)
            ),
        )
        return self._onward.to_page(_with_handle(EXTERNAL_CALLBACK.format(id=quote(provider_id, safe="")), parked))

    async def take_jwt(self, request: Request) -> Response:
        """GET with a JWT in the header of the provider: parked, and 303 to `JWT_CALLBACK` (decision 0047)."""
        parameters = read_parameters(request.scope["query_string"])
        parameters.refuse_repeats()
        auth_request, user_agent = parameters.get("authRequestID", ""), parameters.get("userAgentID", "")
        header = await self._authz.call(GET_JWT_HEADER, GetJwtHeader(auth_request=auth_request, user_agent=user_agent))
        given = list_headers(request, header.name.lower().encode("latin-1", "replace"))
        if len(given) != 1 or not (jwt := _without_bearer(given[0])):
            raise NO_JWT.error(count=len(given))
        parked = await self._authz.call(
            PARK_JWT,
            ParkJwt(
                auth_request=auth_request,
                user_agent=user_agent,
                jwt=jwt,
                address=client_address(request, self._proxies),
            ),
        )
        # The proxy forwards the response under its own name, so the redirect must be absolute.
        return self._onward.to_page(self._issuer + _with_handle(JWT_CALLBACK, parked))

    async def come_back_with_jwt(self, request: Request) -> Response:
        parameters = read_parameters(request.scope["query_string"])
        parameters.refuse_repeats()
        if HANDLE not in parameters:
            raise INCOMPLETE_LINK.error()
        return await self._return(request, parameters, "")

    async def _return(self, request: Request, parameters: Parameters, provider_id: str) -> Response:
        # Intents return without our cookie; authz recognizes them (decision 0051).
        browser = self._cookie.read(request.headers.get("cookie")) or ""
        languages = read_languages(request)
        handle = parameters.get(HANDLE, "")
        message = ReturnExternal(
            browser=browser,
            provider_id=provider_id,
            parameters={} if handle else dict(parameters),
            handle=handle,
            languages=languages,
            address=client_address(request, self._proxies),
            to_application=True,
        )
        try:
            returned = await self._authz.call(RETURN_EXTERNAL, message)
        except ServiceError as error:
            if not browser and error.kind is Kind.NOT_FOUND:
                raise NO_COOKIE.error() from error
            raise
        step = returned.step
        if isinstance(step, DoneStep) and step.leave_to:
            return self._onward.to_caller(step, languages)
        if step.problem is Problem.NONE and not isinstance(step, DoneStep):
            return self._onward.to_page(address_of(LOGIN, returned.request_id), step)
        chosen = language_chosen_in(request, returned.request_id)
        return self._login.respond(step, RequestContext(returned.request_id, browser, languages, chosen))


def _provider_in(request: Request) -> str:
    provider_id: str = request.path_params["id"]
    if len(provider_id) > MAX_ID:
        raise INCOMPLETE_LINK.error()
    return provider_id


def _with_handle(path: str, parked: Parked) -> str:
    return f"{path}?{HANDLE}={parked.handle}"


def _without_bearer(value: str) -> str:
    return (value[len(_BEARER) :] if value.lower().startswith(_BEARER) else value).strip()
