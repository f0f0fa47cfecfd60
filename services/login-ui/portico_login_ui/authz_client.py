"""Calls authz's login API over HTTP (`portico_contracts.login_calls`), and turns its answers back into errors."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, Protocol

import msgspec
from portico_contracts.context import REQUEST_ID, REQUEST_ID_HEADER, TRACE_PARENT, TRACE_PARENT_HEADER
from portico_contracts.http import DISCOVERY
from portico_contracts.login import GetAccounts
from portico_contracts.login_calls import ASK_ACCOUNTS, LOGIN_ERRORS, LoginCall, answer_seconds
from portico_contracts.subjects import ANSWER_SECONDS, Reply, Request, decode, encode
from portico_oauth.errors import TABLE, UNAVAILABLE, ErrorCode, Kind, ServiceError
from portico_runtime.http_client.service_client import ServiceResponse

NOT_UNDERSTOOD = ErrorCode(
    "LOGIN-106",
    Kind.SERVER_ERROR,
    "Something went wrong. Go back to the application and sign in again.",
    "Check that PORTICO_AUTHZ_URL is the address of authz, and that both services have the same PORTICO_LOGIN_API_KEY.",
)

# UNAUTHENTICATED is about our key, not about the end user, so it is a fault of ours, like every code that is not expected.
# The first kind of a code counts.
_KINDS: Final = {TABLE[kind].rpc: kind for kind in reversed(LOGIN_ERRORS) if kind is not Kind.UNAUTHENTICATED}


class _Detail(msgspec.Struct):
    id: str
    message: str


class _Status(msgspec.Struct):
    code: int
    details: list[_Detail]


def error_in(response: ServiceResponse) -> ServiceError:
    """A response other than google.rpc.Status becomes `unavailable` for 5xx (from an intermediary), else LOGIN-106."""
    try:
        status = msgspec.json.decode(response.body, type=_Status)
        kind = _KINDS[status.code]
        detail = status.details[0]
    except (msgspec.DecodeError, KeyError, IndexError):
        error_code = UNAVAILABLE if response.status >= 500 else NOT_UNDERSTOOD
        return error_code.error(asked="authz", status=response.status)
    return ServiceError(kind, detail.id, detail.message, retry_after=_seconds(response), private={"asked": "authz"})


def _seconds(response: ServiceResponse) -> int | None:
    text = response.headers.get("retry-after", "")
    return int(text) if text.isdecimal() and len(text) < 7 else None


class Http(Protocol):
    async def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> ServiceResponse:
        """Sends one request; raises OSError without a response."""
        ...

    async def close(self) -> None: ...


class AuthzClient:
    """The login API of authz; the URL may name several replicas."""

    def __init__(self, http: Http, key: str) -> None:
        self._http = http
        self._authorization = f"Bearer {key}"
        self._key_was_taken = False

    async def call(self, call: LoginCall[Request, Reply], message: Request, id: str = "") -> Reply:
        """Never sends a request again that was sent; `id` is the authorization request's or logout's, for the path."""
        response = await self._post(call, message, id)
        if response.status != HTTPStatus.OK:
            raise error_in(response)
        try:
            reply: Reply = decode(response.body, call.replies or call.reply)
        except msgspec.DecodeError as error:
            raise NOT_UNDERSTOOD.error(cause=str(error)) from error
        return reply

    async def check(self) -> None:
        """Health check; the API key is sent until accepted once, because repeated checks would fill authz's log."""
        if self._key_was_taken:
            await self._send("GET", DISCOVERY, {}, b"", ANSWER_SECONDS)
            return
        # A call that is not refused: administrators see refused requests.
        response = await self._post(ASK_ACCOUNTS, GetAccounts(browser=""), "")
        if response.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise NOT_UNDERSTOOD.error(cause="the login API key is not accepted")
        self._key_was_taken = response.status < 500

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        await self._http.close()

    async def _post(self, call: LoginCall[Request, Reply], message: Request, id: str) -> ServiceResponse:
        headers = {
            "Authorization": self._authorization,
            "Content-Type": "application/json",
            REQUEST_ID_HEADER: REQUEST_ID.get(),
        }
        if trace := TRACE_PARENT.get():
            headers[TRACE_PARENT_HEADER] = trace
        seconds = answer_seconds(call, message)
        return await self._send("POST", call.path.format(id=id), headers, encode(message), seconds)

    async def _send(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes, seconds: float
    ) -> ServiceResponse:
        try:
            async with asyncio.timeout(seconds):
                return await self._http.request(method, path, headers, body)
        except (OSError, TimeoutError) as error:
            raise UNAVAILABLE.error(asked="authz", cause=type(error).__name__) from error
