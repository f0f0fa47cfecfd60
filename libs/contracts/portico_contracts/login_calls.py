"""The calls of authz's login API, for authz, the login pages and the OpenAPI document.

Each call is a POST of JSON with ``Authorization: Bearer <login API key>``; errors are google.rpc.Status.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Generic

from portico_oauth.errors import Kind

from portico_contracts.http import ACCOUNTS_API, DEVICE_API, EXTERNAL_API, LINK_API, LOGIN_API, LOGOUT_API
from portico_contracts.login import (
    LOGIN_PASSWORD_SECONDS,
    Accounts,
    Answer,
    GetAccounts,
    GetStep,
    PasskeyOffered,
    RequestPasskey,
    Step,
)
from portico_contracts.login_device import DeviceOpened, OpenDevice
from portico_contracts.login_external import (
    ExternalReturned,
    GetJwtHeader,
    JwtHeader,
    Parked,
    ParkExternal,
    ParkJwt,
    ReturnExternal,
)
from portico_contracts.login_logout import ConfirmLogout, Logout, RequestLogout
from portico_contracts.login_steps import AnyAnswer, AnyStep
from portico_contracts.login_steps.change_password import ChangePasswordAnswer
from portico_contracts.login_steps.ldap import LdapAnswer
from portico_contracts.login_steps.password import PasswordAnswer
from portico_contracts.subjects import ANSWER_SECONDS, Reply, Request, Rpc
from portico_contracts.users import (
    BEGIN_PASSKEY_BY_INVITATION,
    BEGIN_PASSKEY_BY_LINK,
    BEGIN_RECOVERY,
    CHECK_LINK,
    EXTERNAL_SECONDS,
    FINISH_PASSKEY_BY_LINK,
    GET_LOGIN_POLICY,
    VERIFY_EMAIL_LINK,
    LinkUsed,
    PasswordCodeRequested,
    RequestPasswordCode,
    UseLink,
    UsePasskey,
    UsePasswordCode,
)
from portico_contracts.users.first_run import BEGIN_FIRST_RUN, GET_FIRST_RUN, CompleteFirstRun, FirstRunCompleted

LOGIN_EXTERNAL_SECONDS: Final = EXTERNAL_SECONDS + 3
"""How long an answer may take when users calls another identity provider."""

LOGIN_ERRORS: Final = (
    Kind.FAILED_PRECONDITION,
    Kind.INVALID_REQUEST,
    Kind.UNAUTHENTICATED,
    Kind.PERMISSION_DENIED,
    Kind.NOT_FOUND,
    Kind.ALREADY_EXISTS,
    Kind.CONTENT_TOO_LARGE,
    Kind.TOO_MANY_REQUESTS,
    Kind.SERVER_ERROR,
    Kind.UNAVAILABLE,
)
"""Errors of every call; their ids are listed in errors.md."""


@dataclass(frozen=True, slots=True)
class LoginCall(Generic[Request, Reply]):
    """A call of the login API.

    Attributes:
        seconds: the timeout of the reply.
        rpc: the request to users, None where authz answers itself.
        requests, replies: the messages of a call whose request or reply has several, each with a tag.
    """

    id: str
    path: str
    request: type[Request]
    reply: type[Reply]
    seconds: float = ANSWER_SECONDS
    rpc: Rpc[Request, Reply] | None = None
    requests: Any = None
    replies: Any = None


def _of_users(id: str, name: str, rpc: Rpc[Request, Reply]) -> LoginCall[Request, Reply]:
    """A call of the pages behind emailed links, where no login is in progress."""
    return LoginCall(id, f"{LINK_API}/{name}", rpc.request, rpc.reply, rpc=rpc)


ASK_STEP = LoginCall("askStep", f"{LOGIN_API}/{{id}}/step", GetStep, Step, replies=AnyStep)
ANSWER_STEP = LoginCall("answer", f"{LOGIN_API}/{{id}}/answer", Answer, Step, requests=AnyAnswer, replies=AnyStep)
OFFER_PASSKEY = LoginCall("offerPasskey", f"{LOGIN_API}/{{id}}/passkey", RequestPasskey, PasskeyOffered)
ASK_LOGOUT = LoginCall("askLogout", f"{LOGOUT_API}/{{id}}/ask", RequestLogout, Logout)
CONFIRM_LOGOUT = LoginCall("confirmLogout", f"{LOGOUT_API}/{{id}}/confirm", ConfirmLogout, Logout)
RETURN_EXTERNAL = LoginCall(
    "returnExternal", f"{EXTERNAL_API}/return", ReturnExternal, ExternalReturned, LOGIN_EXTERNAL_SECONDS
)
PARK_EXTERNAL = LoginCall("parkExternal", f"{EXTERNAL_API}/park", ParkExternal, Parked)
GET_JWT_HEADER = LoginCall("getJwtHeader", f"{EXTERNAL_API}/jwt-header", GetJwtHeader, JwtHeader)
PARK_JWT = LoginCall("parkJwt", f"{EXTERNAL_API}/jwt", ParkJwt, Parked)
ASK_ACCOUNTS = LoginCall("askAccounts", ACCOUNTS_API, GetAccounts, Accounts)
OPEN_DEVICE = LoginCall("openDevice", DEVICE_API, OpenDevice, DeviceOpened)
LOOK_AT_LINK = _of_users("checkLink", "check", CHECK_LINK)
VERIFY_EMAIL = _of_users("verifyMailLink", "verify-mail", VERIFY_EMAIL_LINK)
SET_PASSWORD = LoginCall("setPasswordByLink", f"{LINK_API}/set-password", UseLink, LinkUsed)
SET_PASSWORD_WITH_CODE = LoginCall("setPasswordByCode", f"{LINK_API}/set-password-by-code", UsePasswordCode, LinkUsed)
SEND_PASSWORD = LoginCall("sendPasswordLink", f"{LINK_API}/send-password", RequestPasswordCode, PasswordCodeRequested)
BEGIN_INVITED_PASSKEY = _of_users("beginInvitedPasskey", "begin-invited-passkey", BEGIN_PASSKEY_BY_INVITATION)
FINISH_INVITED_PASSKEY = LoginCall("finishInvitedPasskey", f"{LINK_API}/finish-invited-passkey", UsePasskey, LinkUsed)
BEGIN_PASSKEY = _of_users("beginPasskeyByLink", "begin-passkey", BEGIN_PASSKEY_BY_LINK)
FINISH_PASSKEY = _of_users("finishPasskeyByLink", "finish-passkey", FINISH_PASSKEY_BY_LINK)
ASK_FIRST_RUN = _of_users("getFirstRun", "get-first-run", GET_FIRST_RUN)
START_FIRST_RUN = _of_users("beginFirstRun", "begin-first-run", BEGIN_FIRST_RUN)
COMPLETE_FIRST_RUN = LoginCall("finishFirstRun", f"{LINK_API}/finish-first-run", CompleteFirstRun, FirstRunCompleted)
RECOVER = _of_users("beginRecovery", "begin-recovery", BEGIN_RECOVERY)
ASK_POLICY = _of_users("getLoginPolicy", "policy", GET_LOGIN_POLICY)

LOGIN_CALLS: Final[tuple[LoginCall[Any, Any], ...]] = tuple(
    value for value in list(globals().values()) if isinstance(value, LoginCall)
)
"""In the order of the OpenAPI document."""


_WITH_PASSWORD: Final = (PasswordAnswer, ChangePasswordAnswer, LdapAnswer)


def answer_seconds(call: LoginCall[Request, Reply], message: Request) -> float:
    """How long the pages wait: an imported hash may take seconds to compare, another provider longer."""
    if not isinstance(message, Answer):
        return call.seconds
    if message.provider:
        return LOGIN_EXTERNAL_SECONDS
    return LOGIN_PASSWORD_SECONDS if isinstance(message, _WITH_PASSWORD) and message.password else call.seconds
