from __future__ import annotations

import secrets
from collections import deque

from portico_runtime.process.clock import Clock, SystemClock
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from portico_demo_rp import pages
from portico_demo_rp.logout_token import LogoutTokenRefused
from portico_demo_rp.memory import BegunSignIns, SignedIn, Visitors
from portico_demo_rp.provider import NotSignedIn, Provider
from portico_demo_rp.settings import DemoRpSettings

_ID = "visitor"


class DemoRp:
    def __init__(self, settings: DemoRpSettings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._provider = Provider(settings, BegunSignIns(clock), clock)
        self._visitors = Visitors()
        self._logout_tokens: deque[str] = deque(maxlen=100)

    async def home(self, request: Request) -> Response:
        signed_in = self._visitor(request)
        if signed_in is None:
            return pages.welcome(self._settings, self._visitors.signed_out_at(request.session.get(_ID, "")))
        return pages.signed_in(self._settings, signed_in)

    async def login(self, request: Request) -> Response:
        return await self._provider.send(request)

    async def callback(self, request: Request) -> Response:
        signed_in = await self._provider.receive(await _answer_in_query(request))
        # Rotate the id at every sign-in to prevent session fixation.
        self._visitors.forget(request.session.get(_ID, ""))
        request.session[_ID] = secrets.token_hex(16)
        self._visitors.remember(request.session[_ID], signed_in)
        return RedirectResponse("/", status_code=303)

    async def logout(self, request: Request) -> Response:
        self._end(request)
        return RedirectResponse("/", status_code=303)

    async def logout_everywhere(self, request: Request) -> Response:
        signed_in = self._visitor(request)
        self._end(request)
        return await self._provider.send_to_logout(request, signed_in.token["id_token"] if signed_in else "")

    async def signed_out(self, request: Request) -> Response:
        await self._provider.receive_from_logout(request)
        return pages.signed_out(self._settings)

    async def failed(self, _request: Request, error: Exception) -> Response:
        """The page of a sign-in or sign-out that did not succeed."""
        if not isinstance(error, NotSignedIn):
            raise error
        return pages.failed(self._settings, error)

    async def back_channel_logout(self, request: Request) -> Response:
        """Receives logout tokens (OpenID Connect Back-Channel Logout 1.0 sections 2.5 and 2.8)."""
        form = (await _answer_in_query(request)).query_params
        token = form.get("logout_token", "")
        try:
            logout = await self._provider.read_logout_token(token)
        except (LogoutTokenRefused, NotSignedIn) as error:
            return _no_store(JSONResponse({"error": "invalid_request", "error_description": str(error)}, 400))
        self._visitors.sign_out(logout, self._clock.now())
        self._logout_tokens.append(token)
        return _no_store(Response())

    async def logout_tokens(self, _request: Request) -> Response:
        return _no_store(JSONResponse(list(self._logout_tokens)))

    async def session(self, request: Request) -> Response:
        signed_in = self._visitor(request)
        if signed_in is None:
            return JSONResponse({"error": "nobody is signed in"}, status_code=404)
        body = {"token": signed_in.token, "claims": signed_in.claims, "userinfo": signed_in.userinfo}
        return _no_store(JSONResponse(body))

    def _end(self, request: Request) -> None:
        self._visitors.forget(request.session.get(_ID, ""))
        request.session.clear()

    def _visitor(self, request: Request) -> SignedIn | None:
        return self._visitors.find(request.session.get(_ID, ""))


async def _answer_in_query(request: Request) -> Request:
    """Moves a form_post response into the query, which has the same syntax (OAuth 2.0 Form Post Response Mode)."""
    if request.method == "GET":
        return request
    return Request({**request.scope, "method": "GET", "query_string": await request.body()})


def _no_store(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


def create_app(settings: DemoRpSettings) -> Starlette:
    rp = DemoRp(settings, SystemClock())
    routes = [
        Route("/", rp.home),
        Route("/login", rp.login),
        Route("/callback", rp.callback, methods=["GET", "POST"]),
        Route("/logout", rp.logout),
        Route("/logout/everywhere", rp.logout_everywhere),
        Route("/signed-out", rp.signed_out),
        Route("/backchannel-logout", rp.back_channel_logout, methods=["POST"]),
        Route("/logout-tokens.json", rp.logout_tokens),
        Route("/session.json", rp.session),
    ]
    # Cookies ignore ports, so the name distinguishes the relying parties of one host.
    cookies = Middleware(
        SessionMiddleware, secret_key=secrets.token_hex(32), session_cookie=f"demo-rp-{settings.port}", same_site="lax"
    )
    return Starlette(routes=routes, middleware=[cookies], exception_handlers={NotSignedIn: rp.failed})
