"""A server with own login pages: it verifies users in login sessions and finishes authorization requests (decision 0107)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx
from portico_contracts.login_sessions import (
    CHECK_LOGIN,
    END_LOGIN,
    FIND_LOGIN_SESSIONS,
    FINISH_LOGIN,
    CheckLogin,
    EndLogin,
    FindLoginSessions,
    FinishLogin,
    LoginChallenges,
    LoginChecked,
    LoginChecks,
    LoginSessionState,
)
from portico_oauth.errors import ServiceError
from portico_runtime.bus.bus import Bus

from portico_fakes.authz_peers import PASSWORD
from portico_fakes.authz_service import FakeBrowser

ACTOR: Final = "u-login-client"
_NONE: Final = LoginChallenges()


@dataclass(frozen=True)
class LoginClient:
    bus: Bus
    actor: str = ACTOR
    id: str = ""
    token: str = ""

    async def checked(self, *, challenges: LoginChallenges = _NONE, **checks: str) -> LoginChecked:
        """Changes its login session, or creates one."""
        return await self.changed(checks=LoginChecks(**checks), challenges=challenges)

    async def changed(self, **fields: Any) -> LoginChecked:
        return await self.bus.call(CHECK_LOGIN, CheckLogin(actor=self.actor, session_id=self.id, **fields))

    async def refused(self, **fields: Any) -> str:
        """Returns the id of the error of a change."""
        try:
            await self.changed(**fields)
        except ServiceError as error:
            return error.id
        raise AssertionError("the change was not refused")

    def at(self, checked: LoginChecked) -> LoginClient:
        return replace(self, id=checked.session.session_id, token=checked.session_token)

    async def with_password(self, login_name: str = "ada") -> LoginClient:
        return self.at(await self.checked(login_name=login_name, password=PASSWORD))

    async def with_checks(self, **checks: str) -> LoginClient:
        return self.at(await self.changed(checks=LoginChecks(**checks)))

    async def finish(self, request_id: str, **fields: Any) -> str:
        """Returns the address for the browser, without the issuer."""
        values = {"session_id": self.id, "session_token": self.token, **fields}
        message = FinishLogin(actor=self.actor, request_id=request_id, **values)
        address = urlsplit((await self.bus.call(FINISH_LOGIN, message)).callback_url)
        return f"{address.path}?{address.query}"

    async def state(self) -> LoginSessionState | None:
        query = FindLoginSessions(actor=self.actor, session_ids=(self.id,))
        return next(iter((await self.bus.call(FIND_LOGIN_SESSIONS, query)).sessions), None)

    async def end(self) -> bool:
        return (await self.bus.call(END_LOGIN, EndLogin(actor=self.actor, session_id=self.id))).ended


async def begin_at(browser: FakeBrowser, **parameters: str | None) -> str:
    """Starts an authorization request that redirects to own login pages; returns its id."""
    return request_at(await browser.authorize(**parameters))


def request_at(response: httpx.Response) -> str:
    """Returns the id of the request from a redirect to own login pages."""
    (id,) = parse_qs(urlsplit(response.headers["location"]).query)["authRequest"]
    return id
