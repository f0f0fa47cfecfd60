"""The login API, which login pages call: plain routes, whose OpenAPI document is generated from `OPERATIONS`.

Callers send the login API key, which is compared before a body is read. Messages are msgspec structs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import msgspec
from portico_contracts import http
from portico_contracts.login import (
    Accounts,
    Answer,
    ConfirmLogout,
    GetAccounts,
    GetStep,
    Logout,
    PasskeyOffered,
    RequestLogout,
    RequestPasskey,
    Step,
)
from portico_contracts.login_external import (
    ExternalReturned,
    GetJwtHeader,
    JwtHeader,
    Parked,
    ParkExternal,
    ParkJwt,
    ReturnExternal,
)
from portico_contracts.subjects import Message, Rpc, encode
from portico_contracts.users import (
    BEGIN_PASSKEY_BY_LINK,
    BEGIN_RECOVERY,
    FINISH_PASSKEY_BY_LINK,
    GET_LOGIN_POLICY,
    SEND_PASSWORD_LINK,
    SET_PASSWORD_BY_CODE,
    SET_PASSWORD_BY_LINK,
    VERIFY_EMAIL_LINK,
)
from portico_contracts.users.first_run import BEGIN_FIRST_RUN, FINISH_FIRST_RUN, GET_FIRST_RUN
from portico_oauth.errors import INVALID_INPUT, ErrorCode, Kind
from portico_oauth.opaque import equal_in_constant_time
from portico_web.forms import read_body
from portico_web.headers import find_header
from portico_web.json_response import JsonResponse
from portico_web.surfaces import Endpoint, render_errors, rpc_status
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portico_authz.dependencies import Dependencies
from portico_authz.login.get_step import get_step
from portico_authz.login.handle_submission import handle_submission
from portico_authz.login.offer_passkey import offer_passkey
from portico_authz.login.return_external import park_external, return_external
from portico_authz.login.return_jwt import get_jwt_header, park_jwt
from portico_authz.logout.confirm import confirm_logout, get_logout
from portico_authz.refused import observe_login
from portico_authz.session.list_accounts import list_accounts

MAX_BODY: Final = 32 * 1024

LOGIN_KEY_MISSING = ErrorCode(
    "LOGIN-004",
    Kind.UNAUTHENTICATED,
    "Only the login pages may call this API.",
    "Send the login API key as a Bearer token.",
)

Handler = Callable[[Dependencies, str, Any], Awaitable[Message]]
"""Handles a message; the text is the id in the path, empty for operations without one."""


class LoginOperation(NamedTuple):
    """One POST.

    Attributes:
        id: its ``operationId``.
        request, reply: the messages of request and response.
    """

    path: str
    id: str
    request: type[msgspec.Struct]
    reply: type[msgspec.Struct]
    handle: Handler


async def _accounts(deps: Dependencies, _id: str, query: GetAccounts) -> Accounts:
    return await list_accounts(deps, query)


def _of_users(name: str, id: str, rpc: Rpc[Any, Any]) -> LoginOperation:
    """An operation of the pages of emailed links. Users decides: no login is in progress."""

    async def forward(deps: Dependencies, _id: str, query: Any) -> Message:
        reply: Message = await deps.bus.call(rpc, query)
        return reply

    return LoginOperation(f"{http.LINK_API}/{name}", id, rpc.request, rpc.reply, forward)


OPERATIONS: Final = (
    LoginOperation(f"{http.LOGIN_API}/{{id}}/step", "askStep", GetStep, Step, get_step),
    LoginOperation(f"{http.LOGIN_API}/{{id}}/answer", "answer", Answer, Step, handle_submission),
    LoginOperation(f"{http.LOGIN_API}/{{id}}/passkey", "offerPasskey", RequestPasskey, PasskeyOffered, offer_passkey),
    LoginOperation(f"{http.LOGOUT_API}/{{id}}/ask", "askLogout", RequestLogout, Logout, get_logout),
    LoginOperation(f"{http.LOGOUT_API}/{{id}}/confirm", "confirmLogout", ConfirmLogout, Logout, confirm_logout),
    LoginOperation(f"{http.EXTERNAL_API}/return", "returnExternal", ReturnExternal, ExternalReturned, return_external),
    LoginOperation(f"{http.EXTERNAL_API}/park", "parkExternal", ParkExternal, Parked, park_external),
    LoginOperation(f"{http.EXTERNAL_API}/jwt-header", "getJwtHeader", GetJwtHeader, JwtHeader, get_jwt_header),
    LoginOperation(f"{http.EXTERNAL_API}/jwt", "parkJwt", ParkJwt, Parked, park_jwt),
    LoginOperation(http.ACCOUNTS_API, "askAccounts", GetAccounts, Accounts, _accounts),
    _of_users("verify-mail", "verifyMailLink", VERIFY_EMAIL_LINK),
    _of_users("set-password", "setPasswordByLink", SET_PASSWORD_BY_LINK),
    _of_users("set-password-by-code", "setPasswordByCode", SET_PASSWORD_BY_CODE),
    _of_users("send-password", "sendPasswordLink", SEND_PASSWORD_LINK),
    _of_users("begin-passkey", "beginPasskeyByLink", BEGIN_PASSKEY_BY_LINK),
    _of_users("finish-passkey", "finishPasskeyByLink", FINISH_PASSKEY_BY_LINK),
    _of_users("get-first-run", "getFirstRun", GET_FIRST_RUN),
    _of_users("begin-first-run", "beginFirstRun", BEGIN_FIRST_RUN),
    _of_users("finish-first-run", "finishFirstRun", FINISH_FIRST_RUN),
    _of_users("begin-recovery", "beginRecovery", BEGIN_RECOVERY),
    _of_users("policy", "getLoginPolicy", GET_LOGIN_POLICY),
)
"""Every operation of the login API."""


def login_routes(deps: Dependencies, key: str) -> list[Route]:
    """One route for each operation; every one needs the key, and every error is a google.rpc.Status.

    Plain routes, as the framework's dependencies and threads around an endpoint take longer than most of the operations.
    """
    observe = observe_login(deps)
    return [
        Route(operation.path, render_errors(_endpoint(operation, deps, key), rpc_status, observe), methods=["POST"])
        for operation in OPERATIONS
    ]


def _endpoint(operation: LoginOperation, deps: Dependencies, key: str) -> Endpoint:
    async def answer(request: Request) -> Response:
        _require_key(request, key)
        query = await _read(request, operation.request)
        return JsonResponse(encode(await operation.handle(deps, request.path_params.get("id", ""), query)))

    return answer


def _require_key(request: Request, key: str) -> None:
    scheme, _, given = (find_header(request, b"authorization") or "").partition(" ")
    if scheme.lower() != "bearer" or not equal_in_constant_time(given, key):
        raise LOGIN_KEY_MISSING.error()


async def _read(request: Request, kind: type[msgspec.Struct]) -> msgspec.Struct:
    body = await read_body(request, MAX_BODY)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise INVALID_INPUT.error(cause=type(error).__name__) from error
