"""The pages: welcome, sign in, callback, sign out, and the raw session for tests."""

from __future__ import annotations

import secrets

from portico_runtime.clock import SystemClock
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from portico_testing.demo_rp import pages
from portico_testing.demo_rp.memory import BegunSignIns, SignedIn, Visitors
from portico_testing.demo_rp.provider import NotSignedIn, Provider
from portico_testing.demo_rp.settings import DemoRpSettings

_ID = "visitor"


class DemoRp:
    """One relying party: a client of one provider, with its visitors."""

    def __init__(self, settings: DemoRpSettings) -> None:
        self._settings = settings
        self._provider = Provider(settings, BegunSignIns(SystemClock()))
        self._visitors = Visitors()

    async def home(self, request: Request) -> Response:
        """Welcome, or who is signed in."""
        signed_in = self._visitor(request)
        if signed_in is None:
            return pages.welcome(self._settings)
        return pages.signed_in(self._settings, signed_in)

    async def login(self, request: Request) -> Response:
        """Sends the browser to the provider; some parameters are passed on."""
        try:
            return await self._provider.send(request)
        except NotSignedIn as error:
            return pages.failed(self._settings, error)

    async def callback(self, request: Request) -> Response:
        """Where the provider sends the browser back to."""
        try:
            signed_in = await self._provider.receive(request)
        except NotSignedIn as error:
            return pages.failed(self._settings, error)
        # A new id at every sign-in: an id somebody planted before is worth nothing afterwards.
        self._visitors.forget(request.session.get(_ID, ""))
        request.session[_ID] = secrets.token_hex(16)
        self._visitors.remember(request.session[_ID], signed_in)
        return RedirectResponse("/", status_code=303)

    async def logout(self, request: Request) -> Response:
        """Ends the session here."""
        self._visitors.forget(request.session.get(_ID, ""))
        request.session.clear()
        return RedirectResponse("/", status_code=303)

    async def session(self, request: Request) -> Response:
        """The raw tokens of this browser's session, for tests and the curious."""
        signed_in = self._visitor(request)
        if signed_in is None:
            return JSONResponse({"error": "nobody is signed in"}, status_code=404)
        body = {"token": signed_in.token, "claims": signed_in.claims, "userinfo": signed_in.userinfo}
        return JSONResponse(body, headers={"Cache-Control": "no-store"})

    def _visitor(self, request: Request) -> SignedIn | None:
        return self._visitors.find(request.session.get(_ID, ""))


def create_app(settings: DemoRpSettings) -> Starlette:
    """The relying party as an ASGI application."""
    rp = DemoRp(settings)
    routes = [
        Route("/", rp.home),
        Route("/login", rp.login),
        Route("/callback", rp.callback),
        Route("/logout", rp.logout),
        Route("/session.json", rp.session),
    ]
    # Cookies ignore ports: the name tells relying parties on one host apart.
    cookies = Middleware(
        SessionMiddleware, secret_key=secrets.token_hex(32), session_cookie=f"demo-rp-{settings.port}", same_site="lax"
    )
    return Starlette(routes=routes, middleware=[cookies])
