"""The authz side of own login pages (`portico_contracts.login_sessions`)."""

from __future__ import annotations

from typing import Any, Final

from portico_contracts.login_sessions import (
    CHECK_LOGIN,
    END_LOGIN,
    FIND_LOGIN_SESSIONS,
    FINISH_LOGIN,
    GET_LOGIN_REQUEST,
    CheckLogin,
    EndLogin,
    FindLoginSessions,
    FinishLogin,
    GetLoginRequest,
    LoginChecked,
    LoginEnded,
    LoginFinished,
    LoginRequest,
    LoginSessionsFound,
    LoginSessionState,
)

from portico_fakes.memory_bus import MemoryBus

WHOLE: Final = LoginSessionState(
    session_id="s1",
    created=1_700_000_000.0,
    changed=1_700_000_001.5,
    sequence=7,
    ends_at=1_700_003_600.0,
    user_id="ada",
    org_id="acme",
    login_name="ada@acme.example",
    display_name="Ada Byron",
    user_verified_at=1_700_000_000.0,
    password_at=1_700_000_002.0,
    webauthn_at=1_700_000_003.0,
    webauthn_user_verified=True,
    totp_at=1_700_000_004.0,
    otp_sms_at=1_700_000_005.0,
    otp_email_at=1_700_000_006.0,
    metadata={"shop": "Ym9va3M="},
    user_agent='{"ip":"192.0.2.7","header":{"accept":{"values":["a","b"]}}}',
)
EMPTY: Final = LoginSessionState(session_id="s2", created=1_700_000_009.0, changed=1.0, sequence=1, ends_at=2.0)


class LoginAuthz:
    """Answers like authz, and keeps what it was asked. It knows two sessions of every login client."""

    def __init__(self, bus: MemoryBus) -> None:
        self.asked: list[Any] = []
        self.sessions: tuple[LoginSessionState, ...] = (WHOLE, EMPTY)
        self.options = ""
        """The challenge of every response."""
        self.request = LoginRequest(
            request_id="r1", began=1_700_000_000.0, client_id="shop", redirect_uri="https://shop.example/cb", scope=()
        )
        bus.respond(CHECK_LOGIN, self._check)
        bus.respond(FIND_LOGIN_SESSIONS, self._find)
        bus.respond(END_LOGIN, self._end)
        bus.respond(GET_LOGIN_REQUEST, self._get)
        bus.respond(FINISH_LOGIN, self._finish)

    async def _check(self, ask: CheckLogin) -> LoginChecked:
        self.asked.append(ask)
        return LoginChecked(session=self.sessions[0], session_token="t1", options=self.options)

    async def _find(self, ask: FindLoginSessions) -> LoginSessionsFound:
        self.asked.append(ask)
        return LoginSessionsFound(sessions=tuple(one for one in self.sessions if one.session_id in ask.session_ids))

    async def _end(self, ask: EndLogin) -> LoginEnded:
        self.asked.append(ask)
        return LoginEnded(ended=ask.session_id != "unknown")

    async def _get(self, ask: GetLoginRequest) -> LoginRequest:
        self.asked.append(ask)
        return self.request

    async def _finish(self, ask: FinishLogin) -> LoginFinished:
        self.asked.append(ask)
        return LoginFinished(callback_url="https://issuer.example/resume")
