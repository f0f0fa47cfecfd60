"""The routes of `portico_contracts.login_calls`; the login API key is compared before a body is read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from portico_contracts import login_calls as calls
from portico_contracts.login_calls import LOGIN_CALLS, LoginCall
from portico_contracts.login_wire import encode_returned, encode_step
from portico_contracts.subjects import Reply, Request, Rpc
from portico_contracts.subjects import encode as encode_message
from portico_oauth.errors import INVALID_INPUT, ErrorCode, Kind
from portico_oauth.opaque import equal_in_constant_time
from portico_web.forms import read_body
from portico_web.headers import find_header
from portico_web.json_response import JsonResponse
from portico_web.surfaces import render_errors, rpc_status
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Route

from portico_authz.authorize.device.open import open_device
from portico_authz.dependencies import Dependencies
from portico_authz.login.get_step import get_step
from portico_authz.login.handle_submission import handle_submission
from portico_authz.login.offer_passkey import offer_passkey
from portico_authz.login.return_external import get_jwt_header, park_external, park_jwt, return_external
from portico_authz.login_sessions.after_link import (
    register_invited_passkey,
    request_password_code,
    set_password_by_code,
    set_password_by_link,
)
from portico_authz.logout.confirm import confirm_logout, get_logout
from portico_authz.refused import describe_login, observe
from portico_authz.session.accounts import list_accounts
from portico_authz.session.first_run import complete_first_run

MAX_BODY: Final = 32 * 1024

LOGIN_KEY_MISSING = ErrorCode(
    "LOGIN-004",
    Kind.UNAUTHENTICATED,
    "Only the login pages may call this API.",
    "Send the login API key as a Bearer token.",
)

Handler = Callable[[Dependencies, str, Request], Awaitable[Reply]]
"""Handles a message; the text is the id in the path, empty for calls without one."""


def login_routes(deps: Dependencies, key: str) -> list[Route]:
    """Plain Starlette routes: FastAPI's overhead around an endpoint exceeds the duration of most calls."""
    observed = observe(deps, describe_login)

    def route(
        call: LoginCall[Request, Reply],
        handle: Handler[Request, Reply],
        encode: Callable[[Reply], bytes] = encode_message,
    ) -> Route:
        async def answer(request: HttpRequest) -> Response:
            _require_key(request, key)
            message = await _read(request, call)
            return JsonResponse(encode(await handle(deps, request.path_params.get("id", ""), message)))

        return Route(call.path, render_errors(answer, rpc_status, observed), methods=["POST"])

    def forwarded(call: LoginCall[Request, Reply], rpc: Rpc[Request, Reply]) -> Route:
        return route(call, lambda deps, _id, message: deps.bus.call(rpc, message))

    return [
        route(calls.ASK_STEP, get_step, encode_step),
        route(calls.ANSWER_STEP, handle_submission, encode_step),
        route(calls.OFFER_PASSKEY, offer_passkey),
        route(calls.ASK_LOGOUT, get_logout),
        route(calls.CONFIRM_LOGOUT, confirm_logout),
        route(calls.RETURN_EXTERNAL, return_external, encode_returned),
        route(calls.PARK_EXTERNAL, park_external),
        route(calls.GET_JWT_HEADER, get_jwt_header),
        route(calls.PARK_JWT, park_jwt),
        route(calls.ASK_ACCOUNTS, list_accounts),
        route(calls.OPEN_DEVICE, open_device),
        route(calls.COMPLETE_FIRST_RUN, complete_first_run),
        route(calls.SET_PASSWORD, set_password_by_link),
        route(calls.SEND_PASSWORD, request_password_code),
        route(calls.SET_PASSWORD_WITH_CODE, set_password_by_code),
        route(calls.FINISH_INVITED_PASSKEY, register_invited_passkey),
        *(forwarded(call, call.rpc) for call in LOGIN_CALLS if call.rpc),
    ]


def _require_key(request: HttpRequest, key: str) -> None:
    scheme, _, given = (find_header(request, b"authorization") or "").partition(" ")
    if scheme.lower() != "bearer" or not equal_in_constant_time(given, key):
        raise LOGIN_KEY_MISSING.error()


async def _read(request: HttpRequest, call: LoginCall[Request, Reply]) -> Request:
    body = await read_body(request, MAX_BODY)
    try:
        return msgspec.json.decode(body, type=call.requests or call.request)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise INVALID_INPUT.error(cause=type(error).__name__) from error
