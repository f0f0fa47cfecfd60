"""Sign-ins on own login pages: users performs the calls of a login client, authz owns the state (decision 0107).

A login session has what was verified so far. It is no single sign-on session: it becomes one only in the browser in
which the authorization request began, when that browser opens the address that `FINISH_LOGIN` returns.
"""

from __future__ import annotations

from portico_contracts.login import LOGIN_PASSWORD_SECONDS
from portico_contracts.subjects import Message, Rpc, Secret


class LoginChecks(Message, frozen=True):
    """What to verify, in the order of the fields; a wrong value changes nothing but the counts of attempts.

    `credential` is the JSON text of a WebAuthn assertion.
    """

    user_id: str = ""
    login_name: str = ""
    password: Secret = ""
    credential: Secret = ""
    totp: Secret = ""
    otp_sms: Secret = ""
    otp_email: Secret = ""


class LoginChallenges(Message, frozen=True):
    """Challenges to begin after the checks. `domain` is the RP ID of the page, and requests a WebAuthn challenge."""

    domain: str = ""
    user_verification: bool = False
    otp_sms: bool = False
    otp_email: bool = False


class CheckLogin(Message, frozen=True):
    """Creates a login session, or changes the one with `session_id`; `actor` is the login client.

    `metadata` values are base64, an empty one removes its key. `lifetime` is in seconds, 0 for the longest.
    `user_agent` is JSON text that is only kept.
    """

    actor: str
    session_id: str = ""
    checks: LoginChecks = LoginChecks()
    challenges: LoginChallenges = LoginChallenges()
    metadata: dict[str, str] = {}
    lifetime: float = 0.0
    user_agent: str = ""
    languages: tuple[str, ...] = ()


class LoginSessionState(Message, frozen=True):
    """A login session; times are in unix seconds, 0 for what was not verified."""

    session_id: str
    created: float
    changed: float
    sequence: int
    ends_at: float
    user_id: str = ""
    org_id: str = ""
    login_name: str = ""
    display_name: str = ""
    user_verified_at: float = 0.0
    password_at: float = 0.0
    webauthn_at: float = 0.0
    webauthn_user_verified: bool = False
    totp_at: float = 0.0
    otp_sms_at: float = 0.0
    otp_email_at: float = 0.0
    metadata: dict[str, str] = {}
    user_agent: str = ""


class LoginChecked(Message, frozen=True):
    """`session_token` replaces the earlier one. `options` is the JSON text of a WebAuthn challenge, or empty."""

    session: LoginSessionState
    session_token: Secret
    options: str = ""


class FindLoginSessions(Message, frozen=True):
    """Finds login sessions of a login client by id; unknown, expired and foreign ones are left out."""

    actor: str
    session_ids: tuple[str, ...]


class LoginSessionsFound(Message, frozen=True):
    """In the order of the requested ids."""

    sessions: tuple[LoginSessionState, ...]


class EndLogin(Message, frozen=True):
    """Ends a login session, and the single sign-on session that began with it."""

    actor: str
    session_id: str


class LoginEnded(Message, frozen=True):
    """`ended` is false for an unknown session."""

    ended: bool


class GetLoginRequest(Message, frozen=True):
    """Reads the authorization request that a login page was opened with. Raises AUTHZ-030."""

    request_id: str


class LoginRequest(Message, frozen=True):
    """An open authorization request; `began` is in unix seconds, `max_age` in seconds, None without one."""

    request_id: str
    began: float
    client_id: str
    redirect_uri: str
    scope: tuple[str, ...]
    prompts: tuple[str, ...] = ()
    ui_locales: tuple[str, ...] = ()
    login_hint: str = ""
    max_age: int | None = None
    hint_user_id: str = ""


class FinishLogin(Message, frozen=True):
    """Finishes an authorization request with a login session, or with `denied`."""

    actor: str
    request_id: str
    session_id: str = ""
    session_token: Secret = ""
    denied: bool = False


class LoginFinished(Message, frozen=True):
    """Where the browser in which the request began has to go, once; other browsers are refused there."""

    callback_url: Secret


CHECK_LOGIN = Rpc("authz.v1.login.check", CheckLogin, LoginChecked, ("users",), seconds=LOGIN_PASSWORD_SECONDS)
FIND_LOGIN_SESSIONS = Rpc("authz.v1.login.find", FindLoginSessions, LoginSessionsFound, ("users",))
END_LOGIN = Rpc("authz.v1.login.end", EndLogin, LoginEnded, ("users",))
GET_LOGIN_REQUEST = Rpc("authz.v1.login.request", GetLoginRequest, LoginRequest, ("users",))
FINISH_LOGIN = Rpc("authz.v1.login.finish", FinishLogin, LoginFinished, ("users",))
