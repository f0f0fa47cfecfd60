"""HTTP in: read parameters and cookie, call, answer. One list of routes per surface."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec
from portico_contracts import http
from portico_contracts.login import Answer, AskAccounts, AskLogout, AskPasskey, AskStep, ConfirmLogout
from portico_contracts.subjects import Message, Rpc, encode
from portico_contracts.users import (
    BEGIN_PASSKEY_BY_LINK,
    FINISH_PASSKEY_BY_LINK,
    GET_LOGIN_POLICY,
    SEND_PASSWORD_LINK,
    SET_PASSWORD_BY_CODE,
    SET_PASSWORD_BY_LINK,
    VERIFY_MAIL_LINK,
)
from portico_oauth.errors import INVALID_INPUT, Fact, Kind
from portico_oauth.opaque import same
from portico_oauth.parameters import read_parameters
from portico_web.answers import JsonAnswer
from portico_web.forms import read_body, read_form
from portico_web.languages import read_languages
from portico_web.surfaces import oauth_json, rpc_status, surfaced
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portico_authz.authorize.pipeline import authorize, park_post
from portico_authz.authorize.resume import resume
from portico_authz.desk import Desk
from portico_authz.discovery import Discovery
from portico_authz.error_page import error_page
from portico_authz.login.answers import take_answer
from portico_authz.login.ask_step import ask_step
from portico_authz.login.offer_passkey import offer_passkey
from portico_authz.logout.confirm import ask_logout, confirm_logout
from portico_authz.logout.end_session import end_session, park_logout
from portico_authz.session.list_accounts import list_accounts

MAX_BODY: Final = 32 * 1024

NOT_THE_PAGES = Fact(
    "LOGIN-004",
    Kind.UNAUTHENTICATED,
    "Only the login pages may ask here.",
    "Send the login API key as a Bearer token.",
)

Asked = TypeVar("Asked", bound=msgspec.Struct)


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


def login_routes(desk: Desk, key: str) -> list[Route]:
    """The login API, for the login pages only."""

    async def step(request: Request) -> Response:
        asked = await _read(request, key, AskStep)
        return _json(await ask_step(desk, request.path_params["id"], asked))

    async def answer(request: Request) -> Response:
        given = await _read(request, key, Answer)
        return _json(await take_answer(desk, request.path_params["id"], given))

    async def logout(request: Request) -> Response:
        asked = await _read(request, key, AskLogout)
        return _json(await ask_logout(desk, request.path_params["id"], asked))

    async def confirm(request: Request) -> Response:
        given = await _read(request, key, ConfirmLogout)
        return _json(await confirm_logout(desk, request.path_params["id"], given))

    async def accounts(request: Request) -> Response:
        return _json(await list_accounts(desk, await _read(request, key, AskAccounts)))

    async def passkey(request: Request) -> Response:
        asked = await _read(request, key, AskPasskey)
        return _json(await offer_passkey(desk, request.path_params["id"], asked))

    return [
        Route(http.ACCOUNTS_API, surfaced(accounts, rpc_status), methods=["POST"]),
        Route(http.LOGIN_API + "/{id}/passkey", surfaced(passkey, rpc_status), methods=["POST"]),
        Route(http.LOGIN_API + "/{id}/step", surfaced(step, rpc_status), methods=["POST"]),
        Route(http.LOGIN_API + "/{id}/answer", surfaced(answer, rpc_status), methods=["POST"]),
        Route(http.LOGOUT_API + "/{id}/ask", surfaced(logout, rpc_status), methods=["POST"]),
        Route(http.LOGOUT_API + "/{id}/confirm", surfaced(confirm, rpc_status), methods=["POST"]),
    ]


def link_routes(desk: Desk, key: str) -> list[Route]:
    """What the pages ask that mailed links lead to. Users decides: no sign-in of ours is under way with them."""

    def ask(name: str, rpc: Rpc[Any, Any]) -> Route:
        async def answer(request: Request) -> Response:
            return _json(await desk.bus.call(rpc, await _read(request, key, rpc.request)))

        return Route(f"{http.LINK_API}/{name}", surfaced(answer, rpc_status), methods=["POST"])

    return [
        ask("verify-mail", VERIFY_MAIL_LINK),
        ask("set-password", SET_PASSWORD_BY_LINK),
        ask("set-password-by-code", SET_PASSWORD_BY_CODE),
        ask("send-password", SEND_PASSWORD_LINK),
        ask("begin-passkey", BEGIN_PASSKEY_BY_LINK),
        ask("finish-passkey", FINISH_PASSKEY_BY_LINK),
        ask("policy", GET_LOGIN_POLICY),
    ]


def _handle(desk: Desk, request: Request) -> str:
    return desk.cookie.read(request.headers.get("cookie"))


async def _read(request: Request, key: str, kind: type[Asked]) -> Asked:
    """The message of a caller that has the key; the key is compared before the body is read."""
    scheme, _, presented = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not same(presented, key):
        raise NOT_THE_PAGES.refusal()
    body = await read_body(request, MAX_BODY)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise INVALID_INPUT.refusal(cause=type(error).__name__) from error


def _json(message: Message) -> Response:
    return JsonAnswer(encode(message))
