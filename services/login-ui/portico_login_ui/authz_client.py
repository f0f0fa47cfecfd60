"""authz's login API over HTTP (`portico_contracts.login`): asks, and turns its errors back into refusals."""

from __future__ import annotations

import asyncio
from typing import Final, TypeVar

import httpx
import msgspec
from portico_contracts.context import REQUEST_ID, REQUEST_ID_HEADER, TRACE_PARENT, TRACE_PARENT_HEADER
from portico_contracts.http import DISCOVERY, LINK_API, LOGIN_API, LOGOUT_API
from portico_contracts.login import Answer, AskLogout, AskStep, ConfirmLogout, Logout, Step
from portico_contracts.subjects import Message, decode, encode
from portico_contracts.users import (
    MailLinkVerified,
    PasswordLinkSent,
    PasswordSet,
    SendPasswordLink,
    SetPasswordByLink,
    VerifyMailLink,
)
from portico_oauth.errors import UNAVAILABLE

from portico_login_ui.rpc_errors import NOT_UNDERSTOOD, refusal_in
from portico_login_ui.visit import Visit

TIMEOUT: Final = 2.0
"""Seconds one question may take, all in all."""

_PROBE: Final = Visit("0" * 32, "")
Said = TypeVar("Said", bound=Message)


class AuthzClient:
    """The login API of one authz, however many replicas stand behind the address."""

    def __init__(self, http: httpx.AsyncBaseTransport, authz_url: str, key: str, *, seconds: float = TIMEOUT) -> None:
        # A transport, not a client: there are no redirects to follow, no cookies to keep and nobody to log in as.
        self._http = http
        self._authz = authz_url.rstrip("/")
        self._authorization = f"Bearer {key}"
        self._seconds = seconds
        self._key_was_taken = False

    async def ask(self, visit: Visit) -> Step:
        """The step a sign-in is at.

        Raises:
            Refusal: the one authz answered with, `unavailable` when it does not answer in time.
        """
        return _read(await self._post(_at(LOGIN_API, visit, "step"), AskStep(browser=visit.browser)), Step)

    async def answer(self, visit: Visit, answer: Answer) -> Step:
        """Hands an answer over, once: a request that was sent is never sent again. The step that follows.

        Raises:
            Refusal: as `ask`.
        """
        return _read(await self._post(_at(LOGIN_API, visit, "answer"), answer), Step)

    async def ask_logout(self, visit: Visit) -> Logout:
        """What a logout that waits for its confirmation is about.

        Raises:
            Refusal: as `ask`.
        """
        return _read(await self._post(_at(LOGOUT_API, visit, "ask"), AskLogout(browser=visit.browser)), Logout)

    async def confirm_logout(self, visit: Visit, csrf: str) -> Logout:
        """Confirms it, once: a request that was sent is never sent again. What happened, and where to go.

        Raises:
            Refusal: as `ask`.
        """
        message = ConfirmLogout(browser=visit.browser, csrf=csrf)
        return _read(await self._post(_at(LOGOUT_API, visit, "confirm"), message), Logout)

    async def verify_mail_link(self, message: VerifyMailLink) -> MailLinkVerified:
        """Proves a mail address by the link that was mailed.

        Raises:
            Refusal: as `ask`.
        """
        return _read(await self._post(f"{LINK_API}/verify-mail", message), MailLinkVerified)

    async def set_password_by_link(self, message: SetPasswordByLink) -> None:
        """Sets a password by the link that was mailed.

        Raises:
            Refusal: as `ask`.
        """
        _read(await self._post(f"{LINK_API}/set-password", message), PasswordSet)

    async def send_password_link(self, message: SendPasswordLink) -> None:
        """Has a link mailed that sets a password.

        Raises:
            Refusal: as `ask`.
        """
        _read(await self._post(f"{LINK_API}/send-password", message), PasswordLinkSent)

    async def check(self) -> None:
        """Health: authz answers, and took our key once (asking on with the key would fill its log).

        Raises:
            Refusal: when it does not.
        """
        if self._key_was_taken:
            await self._send("GET", DISCOVERY)
            return
        response = await self._post(_at(LOGIN_API, _PROBE, "step"), AskStep(browser=_PROBE.browser))
        if response.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            raise NOT_UNDERSTOOD.refusal(cause="the login API key is not accepted")
        self._key_was_taken = response.status_code < 500

    async def start(self) -> None:
        """Nothing to do: the first question connects."""

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def _post(self, path: str, message: Message) -> httpx.Response:
        headers = {
            "Authorization": self._authorization,
            "Content-Type": "application/json",
            REQUEST_ID_HEADER: REQUEST_ID.get(),
        }
        if trace := TRACE_PARENT.get():
            headers[TRACE_PARENT_HEADER] = trace
        return await self._send("POST", path, headers, encode(message))

    async def _send(
        self, method: str, path: str, headers: dict[str, str] | None = None, content: bytes | None = None
    ) -> httpx.Response:
        try:
            async with asyncio.timeout(self._seconds):
                request = httpx.Request(method, self._authz + path, headers=headers, content=content)
                response = await self._http.handle_async_request(request)
                await response.aread()
                return response
        except (httpx.TransportError, TimeoutError) as error:
            raise UNAVAILABLE.refusal(asked="authz", cause=type(error).__name__) from error


def _at(api: str, visit: Visit, what: str) -> str:
    return f"{api}/{visit.request_id}/{what}"


def _read(response: httpx.Response, kind: type[Said]) -> Said:
    if response.status_code != httpx.codes.OK:
        raise refusal_in(response)
    try:
        return decode(response.content, kind)
    except msgspec.DecodeError as error:
        raise NOT_UNDERSTOOD.refusal(cause=str(error)) from error
