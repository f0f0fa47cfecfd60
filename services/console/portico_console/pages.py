from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Final

from portico_contracts import context
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import RandomBytes
from portico_runtime.http_client.service_client import Http
from portico_runtime.process.clock import Clock
from portico_web.acting_get import acting_get
from portico_web.catalogue import load_catalogue
from portico_web.client_address import client_address
from portico_web.headers import ISOLATED
from portico_web.language_choice import kept_language
from portico_web.languages import pick_language, read_languages
from portico_web.surfaces import Endpoint, html_page, render_errors
from portico_web.trusted_proxies import TrustedProxies
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route

from portico_console.forms.filling import problems_of
from portico_console.management.api import ManagementApi
from portico_console.management.diagnostics import NotRecent, NotSignedIn
from portico_console.request_context import AGAIN, NOTICE_PARAMETER, PACKAGE, UNSENT, Notice, RequestContext
from portico_console.sessions.session import KeptForm, Session, Sessions
from portico_console.sign_in.flow import SignIn

Handler = Callable[[RequestContext], Awaitable[Response]]

_LOOKS: Final = ("GET", "HEAD")


class Pages:
    def __init__(
        self,
        sign_in: SignIn,
        users: Http,
        sessions: Sessions,
        issuer: str,
        clock: Clock,
        random: RandomBytes,
        *,
        proxies: TrustedProxies,
        steps_up: bool,
    ) -> None:
        self._proxies = proxies
        self.sign_in = sign_in
        self._users = users
        self._sessions = sessions
        self._issuer = issuer
        self._clock = clock
        self._random = random
        self._steps_up = steps_up
        self._forms: list[tuple[Route, Handler]] = []

    def form(self, path: str, handler: Handler) -> Route:
        """Returns the route of a form, which is also carried out after a sign-in that it needed."""
        route = Route(path, self.endpoint(handler), methods=["POST"])
        self._forms.append((route, handler))
        return route

    def endpoint(self, handler: Handler) -> Endpoint:
        """Without a session, redirects to the sign-in and returns to the page; a form has to be sent again.

        Opening a page may renew the session, and shows secrets, input and notices once.
        """
        return acting_get(self.outside(partial(self._answer, handler)))

    def outside(self, endpoint: Endpoint) -> Endpoint:
        """Wraps an endpoint without a session, with error pages; the page has no access to other windows."""
        return partial(self._render_errors, endpoint)

    async def _render_errors(self, endpoint: Endpoint, request: Request) -> Response:
        response = await render_errors(endpoint, self._render)(request)
        if response.media_type == "text/html":
            response.headers.update(ISOLATED)
        return response

    async def _answer(self, handler: Handler, request: Request) -> Response:
        session = await self.sign_in.find_session(request)
        if session is None:
            return self.sign_in.begin(request, _unsent(request))
        if request.method in _LOOKS and session.is_to_be_renewed(self._clock.now()):
            return self.sign_in.begin(request, _address(request), session=session)
        return await self._answer_in(session, handler, request)

    async def _answer_in(self, session: Session, handler: Handler, request: Request) -> Response:
        ctx = self._request_context(request, session, await self._notice(request, session))
        kept = await self._kept_form(request, session)
        if kept and kept.is_whole and session.kept_form == request.query_params[AGAIN]:
            handler, ctx = self._carrying_out(ctx, kept, handler)
        elif kept:
            ctx = replace(ctx, kept=kept)
        try:
            return await _alone(handler(ctx))
        except NotRecent as again:
            if ctx.carried_out:  # the sign-in was not as recent as required: the page shows the form
                return ctx.see(again.address or _address(request))
            address = again.address or _unsent(request)
            return self.sign_in.begin(request, address, session=session, fresh=True, kept_form=again.kept)
        except NotSignedIn:
            return await self.sign_in.forget(request, _unsent(request))
        except ServiceError as error:
            return _error_page(ctx, error)

    def _render(self, error: ServiceError, request: Request) -> Response:
        return html_page(error, request, retry=self.sign_in.party.path, package=PACKAGE)

    async def _kept_form(self, request: Request, session: Session) -> KeptForm | None:
        name = request.query_params.get(AGAIN, "") if request.method == "GET" else ""
        return await self._sessions.take_form(session, name) if name else None

    def _carrying_out(self, ctx: RequestContext, kept: KeptForm, handler: Handler) -> tuple[Handler, RequestContext]:
        """Returns the handler of the kept form, and its request as it was sent."""
        scope = {**ctx.request.scope, "method": "POST", "path": kept.path, "query_string": kept.query}
        for route, submit in self._forms:
            match, found = route.matches(scope)
            if match is Match.FULL:
                return submit, replace(ctx, request=Request({**scope, **found}), kept=kept, carried_out=True)
        return handler, replace(ctx, kept=kept)

    async def _notice(self, request: Request, session: Session) -> Notice | None:
        name = request.query_params.get(NOTICE_PARAMETER, "") if request.method == "GET" else ""
        kept = await self._sessions.take_to_show(session, name) if name else None
        return Notice(kept["text"], kept["values"], kept.get("undo", "")) if kept and "text" in kept else None

    def _request_context(self, request: Request, session: Session, notice: Notice | None) -> RequestContext:
        language = pick_language(kept_language(request), (session.locale,), read_languages(request))
        api = ManagementApi(self._users, session.access_token, language.tag, client_address(request, self._proxies))
        return RequestContext(
            request,
            session,
            language,
            self.sign_in.party,
            api,
            self._issuer,
            self._clock.now(),
            self._sessions,
            self._random,
            self._steps_up,
            notice,
        )


async def _alone(answer: Awaitable[Response]) -> Response:
    """Awaits the response; of concurrent calls, the first error counts."""
    try:
        return await answer
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


def _address(request: Request) -> str:
    query = request.url.query if request.method in _LOOKS else ""
    return f"{request.url.path}?{query}" if query else request.url.path


def _unsent(request: Request) -> str:
    """The page to return to; that of a form states that nothing was saved."""
    address = _address(request)
    return address if request.method in _LOOKS else f"{address}?{AGAIN}={UNSENT}"


def _repeats(sentence: str, text: str) -> bool:
    """Reports whether the text has nothing more than the heading, such as "Page not found" and "Not found."."""
    return sentence.casefold().rstrip(".").endswith(text.casefold().rstrip("."))


def _error_page(ctx: RequestContext, error: ServiceError) -> Response:
    sentence = load_catalogue(PACKAGE, ctx.language.tag).gettext(error.rendering.page)
    text = ctx.text_of(error)
    return ctx.page(
        "refused.html",
        status=error.rendering.status,
        sentence=sentence,
        text="" if _repeats(sentence, text) else text,
        violations=problems_of((), error.violations),
        error_code=error.id,
        request_id=context.REQUEST_ID.get(),
        not_there=error.kind is Kind.NOT_FOUND,
    )
