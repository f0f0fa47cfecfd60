"""authz's login API over HTTP (`portico_contracts.login`): calls it, and turns its answers back into errors."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, Protocol, TypeVar

import msgspec
from portico_contracts.context import REQUEST_ID, REQUEST_ID_HEADER, TRACE_PARENT, TRACE_PARENT_HEADER
from portico_contracts.http import ACCOUNTS_API, DISCOVERY, EXTERNAL_API, LINK_API, LOGIN_API, LOGOUT_API
from portico_contracts.login import (
    LOGIN_PASSWORD_SECONDS,
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
from portico_contracts.subjects import Message, decode, encode
from portico_contracts.users import (
    EXTERNAL_SECONDS,
    BeginPasskeyByLink,
    BeginRecovery,
    EmailLinkVerified,
    FinishPasskeyByLink,
    GetLoginPolicy,
    LoginPolicy,
    PasskeyBegun,
    PasskeyRegistered,
    PasswordLinkSent,
    PasswordSet,
    RecoveryBegun,
    SendPasswordLink,
    SetPasswordByCode,
    SetPasswordByLink,
    VerifyEmailLink,
)
from portico_contracts.users.first_run import (
    BeginFirstRun,
    FinishFirstRun,
    FirstRun,
    FirstRunBegun,
    FirstRunFinished,
    GetFirstRun,
)
from portico_oauth.errors import UNAVAILABLE
from portico_runtime.service_client import ServiceResponse

from portico_login_ui.rpc_errors import NOT_UNDERSTOOD, error_in
from portico_login_ui.visit import Visit

TIMEOUT: Final = 2.0
"""Seconds one question may take, all in all."""

PASSWORD_TIMEOUT: Final = LOGIN_PASSWORD_SECONDS
"""The same for an answer with a password: an imported hash may take that long."""

EXTERNAL_TIMEOUT: Final = EXTERNAL_SECONDS + 3
"""The same where users asks another identity provider."""

_PROBE: Final = Visit("0" * 32, "")
AuthzResponse = TypeVar("AuthzResponse", bound=Message)


class Http(Protocol):
    """The way to authz; `portico_runtime.service_client.ServiceClient` is one."""

    async def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> ServiceResponse:
        """Asks once; raises OSError without an answer."""
        ...

    async def close(self) -> None:
        """Closes the connections."""
        ...


class AuthzClient:
    """The login API of authz; the address may lead to several replicas."""

    def __init__(
        self, http: Http, key: str, *, seconds: float = TIMEOUT, password_seconds: float = PASSWORD_TIMEOUT
    ) -> None:
        self._http = http
        self._authorization = f"Bearer {key}"
        self._seconds = seconds
        self._password_seconds = password_seconds
        self._key_was_taken = False

    async def get_step(self, visit: Visit) -> Step:
        """The step a sign-in is at.

        Raises:
            ServiceError: the one authz answered with, `unavailable` when it does not answer in time.
        """
        return _read(await self._post(_at(LOGIN_API, visit, "step"), GetStep(browser=visit.browser)), Step)

    async def answer(self, visit: Visit, answer: Answer) -> Step:
        """Hands an answer over, once: a request that was sent is never sent again. The step that follows.

        Raises:
            ServiceError: as `get_step`.
        """
        seconds = self._password_seconds if answer.password or answer.new_password else self._seconds
        seconds = EXTERNAL_TIMEOUT if answer.provider else seconds
        return _read(await self._post(_at(LOGIN_API, visit, "answer"), answer, seconds), Step)

    async def offer_passkey(self, visit: Visit) -> PasskeyOffered:
        """A challenge for a passkey that the browser may offer beside the login name.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(
            await self._post(_at(LOGIN_API, visit, "passkey"), RequestPasskey(browser=visit.browser)), PasskeyOffered
        )

    async def return_external(self, message: ReturnExternal) -> ExternalReturned:
        """Passes on what a browser brought back from another identity provider, once.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(f"{EXTERNAL_API}/return", message, EXTERNAL_TIMEOUT), ExternalReturned)

    async def park_external(self, message: ParkExternal) -> Parked:
        """Parks what came by a cross-site POST.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(f"{EXTERNAL_API}/park", message), Parked)

    async def get_jwt_header(self, message: GetJwtHeader) -> JwtHeader:
        """Which header the JWT of a flow comes in.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(f"{EXTERNAL_API}/jwt-header", message), JwtHeader)

    async def park_jwt(self, message: ParkJwt) -> Parked:
        """Parks a JWT.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(f"{EXTERNAL_API}/jwt", message), Parked)

    async def get_logout(self, visit: Visit) -> Logout:
        """What a logout that waits for its confirmation is about.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(_at(LOGOUT_API, visit, "ask"), RequestLogout(browser=visit.browser)), Logout)

    async def confirm_logout(self, visit: Visit, csrf: str) -> Logout:
        """Confirms it, once: a request that was sent is never sent again. What happened, and where to go.

        Raises:
            ServiceError: as `get_step`.
        """
        message = ConfirmLogout(browser=visit.browser, csrf=csrf)
        return _read(await self._post(_at(LOGOUT_API, visit, "confirm"), message), Logout)

    async def get_accounts(self, browser: str) -> Accounts:
        """Who is signed in in a browser.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(ACCOUNTS_API, GetAccounts(browser=browser)), Accounts)

    async def verify_email_link(self, message: VerifyEmailLink) -> EmailLinkVerified:
        """Verifies an email address by the link in an email.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(f"{LINK_API}/verify-mail", message), EmailLinkVerified)

    async def set_password_by_link(self, message: SetPasswordByLink) -> None:
        """Sets a password by the link in an email.

        Raises:
            ServiceError: as `get_step`.
        """
        _read(await self._post(f"{LINK_API}/set-password", message), PasswordSet)

    async def set_password_by_code(self, message: SetPasswordByCode) -> None:
        """Sets a password by the emailed code.

        Raises:
            ServiceError: as `get_step`.
        """
        _read(await self._post(f"{LINK_API}/set-password-by-code", message), PasswordSet)

    async def send_password_link(self, message: SendPasswordLink) -> PasswordLinkSent:
        """Has an email sent with a link and a code that set a password.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(f"{LINK_API}/send-password", message), PasswordLinkSent)

    async def begin_recovery(self, message: BeginRecovery) -> RecoveryBegun:
        """Ends all sessions of an account by the link in a notice, and has a code sent.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(f"{LINK_API}/begin-recovery", message), RecoveryBegun)

    async def begin_passkey_by_link(self, message: BeginPasskeyByLink) -> PasskeyBegun:
        """Begins the registration of a passkey by the link in an email.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(f"{LINK_API}/begin-passkey", message), PasskeyBegun)

    async def finish_passkey_by_link(self, message: FinishPasskeyByLink) -> None:
        """Completes it.

        Raises:
            ServiceError: as `get_step`.
        """
        _read(await self._post(f"{LINK_API}/finish-passkey", message), PasskeyRegistered)

    async def get_first_run(self, message: GetFirstRun) -> FirstRun:
        """What the page of the first run requests.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(f"{LINK_API}/get-first-run", message), FirstRun)

    async def begin_first_run(self, message: BeginFirstRun) -> FirstRunBegun:
        """Begins the registration of the first administrator's credential.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(f"{LINK_API}/begin-first-run", message), FirstRunBegun)

    async def finish_first_run(self, message: FinishFirstRun) -> FirstRunFinished:
        """Creates the first administrator.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(f"{LINK_API}/finish-first-run", message), FirstRunFinished)

    async def get_login_policy(self, message: GetLoginPolicy) -> LoginPolicy:
        """What an organization demands of passwords.

        Raises:
            ServiceError: as `get_step`.
        """
        return _read(await self._post(f"{LINK_API}/policy", message), LoginPolicy)

    async def check(self) -> None:
        """Health: authz answers, and took our key once (asking on with the key would fill its log).

        Raises:
            ServiceError: when it does not.
        """
        if self._key_was_taken:
            await self._send("GET", DISCOVERY, {}, b"", self._seconds)
            return
        response = await self._post(_at(LOGIN_API, _PROBE, "step"), GetStep(browser=_PROBE.browser))
        if response.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise NOT_UNDERSTOOD.error(cause="the login API key is not accepted")
        self._key_was_taken = response.status < 500

    async def start(self) -> None:
        """Nothing to do: the first question connects."""

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.close()

    async def _post(self, path: str, message: Message, seconds: float | None = None) -> ServiceResponse:
        headers = {
            "Authorization": self._authorization,
            "Content-Type": "application/json",
            REQUEST_ID_HEADER: REQUEST_ID.get(),
        }
        if trace := TRACE_PARENT.get():
            headers[TRACE_PARENT_HEADER] = trace
        return await self._send("POST", path, headers, encode(message), seconds or self._seconds)

    async def _send(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes, seconds: float
    ) -> ServiceResponse:
        try:
            async with asyncio.timeout(seconds):
                return await self._http.request(method, path, headers, body)
        except (OSError, TimeoutError) as error:
            raise UNAVAILABLE.error(asked="authz", cause=type(error).__name__) from error


def _at(api: str, visit: Visit, what: str) -> str:
    return f"{api}/{visit.request_id}/{what}"


def _read(response: ServiceResponse, kind: type[AuthzResponse]) -> AuthzResponse:
    if response.status != HTTPStatus.OK:
        raise error_in(response)
    try:
        return decode(response.body, kind)
    except msgspec.DecodeError as error:
        raise NOT_UNDERSTOOD.error(cause=str(error)) from error
