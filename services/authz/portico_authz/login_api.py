"""The login API, which login pages call. A FastAPI router, so that its OpenAPI document is generated from it.

Callers send the login API key, which is compared before a body is read. Messages are msgspec structs: the schema of each
is in the document under the name of its class.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from fastapi import APIRouter, Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
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
from portico_contracts.subjects import Message, Rpc, encode
from portico_contracts.users import (
    BEGIN_PASSKEY_BY_LINK,
    FINISH_PASSKEY_BY_LINK,
    GET_LOGIN_POLICY,
    SEND_PASSWORD_LINK,
    SET_PASSWORD_BY_CODE,
    SET_PASSWORD_BY_LINK,
    VERIFY_EMAIL_LINK,
)
from portico_oauth.errors import INVALID_INPUT, TABLE, ErrorCode, Kind
from portico_oauth.opaque import equal_in_constant_time
from portico_web.forms import read_body
from portico_web.json_response import JsonResponse
from portico_web.surfaces import management_status, rpc_status, surface
from starlette.responses import Response

from portico_authz.dependencies import Dependencies
from portico_authz.login.get_step import get_step
from portico_authz.login.handle_submission import handle_submission
from portico_authz.login.offer_passkey import offer_passkey
from portico_authz.logout.confirm import confirm_logout, get_logout
from portico_authz.session.list_accounts import list_accounts

MAX_BODY: Final = 32 * 1024

LOGIN_KEY_MISSING = ErrorCode(
    "LOGIN-004",
    Kind.UNAUTHENTICATED,
    "Only the login pages may ask here.",
    "Send the login API key as a Bearer token.",
)

REFERENCE: Final = "#/components/schemas/{name}"
"""The reference to the schema of a message, and of `STATUS_SCHEMA`."""

STATUS_SCHEMA: Final = "Status"
"""The name of the schema of errors: google.rpc.Status."""

_ERRORS: Final = (
    Kind.INVALID_REQUEST,
    Kind.UNAUTHENTICATED,
    Kind.PERMISSION_DENIED,
    Kind.NOT_FOUND,
    Kind.CONTENT_TOO_LARGE,
    Kind.UNAVAILABLE,
)
"""Errors of every operation; their ids are listed in errors.md."""

_KEY: Final = HTTPBearer(scheme_name="loginApiKey", description="PORTICO_LOGIN_API_KEY of authz.", auto_error=False)

_ID: Final = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]}
"""Described here and not declared, because FastAPI would reject a declared one with its 422."""

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
    LoginOperation(http.ACCOUNTS_API, "askAccounts", GetAccounts, Accounts, _accounts),
    _of_users("verify-mail", "verifyMailLink", VERIFY_EMAIL_LINK),
    _of_users("set-password", "setPasswordByLink", SET_PASSWORD_BY_LINK),
    _of_users("set-password-by-code", "setPasswordByCode", SET_PASSWORD_BY_CODE),
    _of_users("send-password", "sendPasswordLink", SEND_PASSWORD_LINK),
    _of_users("begin-passkey", "beginPasskeyByLink", BEGIN_PASSKEY_BY_LINK),
    _of_users("finish-passkey", "finishPasskeyByLink", FINISH_PASSKEY_BY_LINK),
    _of_users("policy", "getLoginPolicy", GET_LOGIN_POLICY),
)
"""Every operation of the login API."""


def login_api(deps: Dependencies, key: str) -> APIRouter:
    """The router; every operation needs the key, and every error is a google.rpc.Status."""

    def require_key(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_KEY)]) -> None:
        if credentials is None or not equal_in_constant_time(credentials.credentials, key):
            raise LOGIN_KEY_MISSING.error()

    router = APIRouter(route_class=surface(rpc_status), dependencies=[Depends(require_key)])
    for operation in OPERATIONS:
        _add(router, operation, deps)
    return router


def _add(router: APIRouter, operation: LoginOperation, deps: Dependencies) -> None:
    async def answer(request: Request) -> Response:
        query = await _read(request, operation.request)
        return JsonResponse(encode(await operation.handle(deps, request.path_params.get("id", ""), query)))

    router.add_api_route(
        operation.path,
        answer,
        methods=["POST"],
        operation_id=operation.id,
        summary=_first_line(operation.request),
        response_model=None,
        response_description=_first_line(operation.reply),
        responses={
            200: {"content": _content(operation.reply.__name__)},
            **{
                management_status(kind): {"description": TABLE[kind].page, "content": _content(STATUS_SCHEMA)}
                for kind in _ERRORS
            },
        },
        openapi_extra={
            **(_ID if "{id}" in operation.path else {}),
            "requestBody": {"required": True, "content": _content(operation.request.__name__)},
        },
    )


async def _read(request: Request, kind: type[msgspec.Struct]) -> msgspec.Struct:
    body = await read_body(request, MAX_BODY)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise INVALID_INPUT.error(cause=type(error).__name__) from error


def _first_line(kind: type[msgspec.Struct]) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _content(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REFERENCE.format(name=name)}}}
