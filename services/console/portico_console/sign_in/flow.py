from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import urlencode

import msgspec
import structlog
from portico_contracts.http import AUTHORIZE, END_SESSION
from portico_contracts.users import Branding
from portico_oauth.errors import INVALID_INPUT, ErrorCode, Kind
from portico_oauth.opaque import RandomBytes, b64url
from portico_oauth.parameters import read_parameters
from portico_oauth.pkce import challenge_of
from portico_runtime.process.clock import Clock
from portico_web.forms import read_form
from portico_web.headers import NO_STORE
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from portico_console.sessions.session import Session, SessionCookie, Sessions
from portico_console.sign_in.id_token import read_id_token
from portico_console.sign_in.logout_token import read_logout_token
from portico_console.sign_in.pending import PendingCookies, PendingSignIn
from portico_console.sign_in.provider import Provider, Tokens
from portico_console.sign_in.relying_party import RelyingParty

log = structlog.get_logger("portico.sign_in")

NOT_BEGUN = ErrorCode(
    "CONS-101",
    Kind.FAILED_PRECONDITION,
    "This sign-in was not started in this browser, or it took too long.",
    "Start again, and allow first-party cookies for this site.",
)
REFUSED = ErrorCode(
    "CONS-104",
    Kind.ACCESS_DENIED,
    "You were not signed in.",
    "Sign in again. The error of the authorization endpoint is in the log of console.",
)

_MAX_CALLBACK: Final = 4_096
_MAX_RETURN: Final = 500
"""Maximum characters of the return URL, which is stored in a cookie."""
_SILENT_REFUSALS: Final = frozenset(
    {"login_required", "interaction_required", "account_selection_required", "consent_required"}
)
"""Errors of a silent request (OIDC Core section 3.1.2.6)."""


class SignIn:
    def __init__(
        self,
        party: RelyingParty,
        issuer: str,
        provider: Provider,
        sessions: Sessions,
        pending: PendingCookies,
        clock: Clock,
        random: RandomBytes,
        *,
        session_seconds: int,
        find_branding: Callable[[str], Awaitable[Branding]] | None = None,
    ) -> None:
        """`find_branding` takes the access token; None for the default branding."""
        self.party = party
        self.cookie = SessionCookie(party.name, party.origin)
        self._issuer = issuer
        self._provider = provider
        self._sessions = sessions
        self._pending = pending
        self._clock = clock
        self._random = random
        self._seconds = session_seconds
        self._find_branding = find_branding

    async def find_session(self, request: Request) -> Session | None:
        """Returns the session of the browser; None without one. Raises `unavailable`."""
        handle = self.cookie.read(request.headers.get("cookie"))
        return await self._sessions.find(handle, self.party.name) if handle else None

    def begin(
        self,
        request: Request,
        return_to: str,
        *,
        session: Session | None = None,
        fresh: bool = False,
        kept_form: str = "",
        acr_values: str | None = None,
    ) -> Response:
        """Redirects the browser to the authorization endpoint; requests of a script get 401 instead.

        `return_to` is path and query: a URL outside of the application is replaced by its home page.
        `session` is renewed silently; `fresh` sends ``max_age=0``, for the form `kept_form` if there is one.
        """
        if request.headers.get("sec-fetch-mode", "navigate") != "navigate":
            return Response(status_code=401, headers=NO_STORE)  # a script, which cannot follow
        is_own = self.party.owns(return_to) and len(return_to) <= _MAX_RETURN
        wanted = return_to if is_own else self.party.path
        silent = session is not None and not fresh
        pending = self._pending.begin(wanted, self._clock.now(), silent=silent, kept_form=kept_form)
        query = {
            "response_type": "code",
            "client_id": self.party.client_id,
            "redirect_uri": self.party.redirect_uri,
            "scope": self.party.scope,
            "state": pending.state,
            "nonce": pending.nonce,
            "code_challenge": challenge_of(pending.code_verifier),
            "code_challenge_method": "S256",
        }
        if acr := self.party.acr_values if acr_values is None else acr_values:
            query["acr_values"] = acr
        if session is not None:
            query["id_token_hint"] = session.id_token
        if pending.silent:
            query["prompt"] = "none"
        if fresh:
            query["max_age"] = "0"
        response = _redirect(f"{self._issuer}{AUTHORIZE}?{urlencode(query)}")
        for cleared in self._pending.clear_surplus(request.headers.get("cookie")):
            response.headers.append("Set-Cookie", cleared)
        response.headers.append("Set-Cookie", self._pending.set(pending))
        return response

    async def complete(self, request: Request) -> Response:
        """The callback: redeems the code, creates a session, and redirects to the requested page."""
        given = read_parameters(request.scope["query_string"][:_MAX_CALLBACK])
        given.refuse_repeats()
        state = given.get("state", "")
        pending = self._pending.find(state, request.headers.get("cookie"), self._clock.now())
        if pending is None or given.get("iss", "") != self._issuer:  # RFC 9207 §2.4
            raise NOT_BEGUN.error(state_known=pending is not None)
        if error := given.get("error", ""):
            return await self._refused(error, pending, request)
        tokens = await self._provider.redeem(given.get("code", ""), pending, self.party)
        session = await self._session_of(tokens, pending)
        await self._remove_session(request)
        handle = await self._sessions.create(session, self.party.name)
        response = _redirect(pending.return_to)
        response.headers.append("Set-Cookie", self.cookie.set(handle))
        response.headers.append("Set-Cookie", self._pending.clear(state))
        return response

    async def sign_out(self, request: Request, session: Session | None) -> Response:
        """Ends the local session and redirects to the provider's logout (RP-Initiated Logout section 2)."""
        await self._remove_session(request)
        query = {"client_id": self.party.client_id, "post_logout_redirect_uri": self.party.signed_out_uri}
        if session is not None:
            query["id_token_hint"] = session.id_token
        response = _redirect(f"{self._issuer}{END_SESSION}?{urlencode(query)}")
        response.headers.append("Set-Cookie", self.cookie.clear())
        return response

    async def end_session(self, request: Request) -> Response:
        """The back-channel logout endpoint (Back-Channel Logout section 2.5)."""
        form = await read_form(request)
        form.refuse_repeats()
        token = form.get("logout_token", "")
        key = await self._provider.find_key(token, INVALID_INPUT)
        ended = read_logout_token(
            token, key, issuer=self._issuer, client_id=self.party.client_id, now=self._clock.now()
        )
        await self._sessions.remove_all(ended.sub, ended.sid, self.party.name)
        return Response(status_code=200, headers=NO_STORE)

    async def forget(self, request: Request, return_to: str) -> Response:
        await self._remove_session(request)
        response = self.begin(request, return_to)
        response.headers.append("Set-Cookie", self.cookie.clear())
        return response

    async def _remove_session(self, request: Request) -> None:
        if handle := self.cookie.read(request.headers.get("cookie")):
            await self._sessions.remove(handle, self.party.name)

    async def _refused(self, error: str, pending: PendingSignIn, request: Request) -> Response:
        if pending.silent and error in _SILENT_REFUSALS:
            response = await self.forget(request, pending.return_to)
        else:
            log.info("authorization refused", error=error[:60], client_id=self.party.client_id)
            raise REFUSED.error(error=error[:60])
        response.headers.append("Set-Cookie", self._pending.clear(pending.state))
        return response

    async def _session_of(self, tokens: Tokens, pending: PendingSignIn) -> Session:
        now = self._clock.now()
        key = await self._provider.find_key(tokens.id_token)
        signed_in = read_id_token(
            tokens.id_token, key, issuer=self._issuer, client_id=self.party.client_id, nonce=pending.nonce, now=now
        )
        return Session(
            **msgspec.structs.asdict(signed_in),
            access_token=tokens.access_token,
            id_token=tokens.id_token,
            issued_at=now,
            expires_at=now + tokens.expires_in,
            ends_at=now + self._seconds,
            csrf=b64url(self._random(32)),
            branding=await self._find_branding(tokens.access_token) if self._find_branding else Branding(),
            kept_form=pending.kept_form,
        )


def _redirect(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=303, headers=NO_STORE)
