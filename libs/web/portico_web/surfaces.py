"""Renders errors; no other module maps an error to a status, headers and a body."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from portico_contracts import context
from portico_contracts.gateway import BROWSER_MEDIA, NO_PAGES
from portico_contracts.http import Surface, surface_of
from portico_oauth import dpop
from portico_oauth.errors import (
    INVALID_INPUT,
    METHOD_NOT_ALLOWED,
    PATH_NOT_FOUND,
    SERVER_ERROR,
    TABLE,
    Kind,
    ServiceError,
)
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from portico_web.catalogue import load_catalogue
from portico_web.error_counts import count_error
from portico_web.headers import NO_STORE
from portico_web.languages import ENGLISH, pick_language, read_languages
from portico_web.pages import page
from portico_web.return_address import ReturnAddress
from portico_web.rpc_errors import rpc_error

log = structlog.get_logger("portico.http")

Render = Callable[[ServiceError, Request], Response]
Endpoint = Callable[[Request], Awaitable[Response]]
Observe = Callable[[ServiceError, Request], None]
"""Observes errors of an endpoint; must not block or raise."""

_DPOP_KINDS: Final = (Kind.INVALID_DPOP_PROOF, Kind.USE_DPOP_NONCE)
CHALLENGED_KINDS: Final = (*_DPOP_KINDS, Kind.INVALID_TOKEN, Kind.WRONG_TOKEN_SCHEME, Kind.UNAUTHENTICATED)
"""Kinds about an access token at the management API."""
_DPOP_CHALLENGE: Final = f'{dpop.SCHEME} algs="{" ".join(dpop.PROOF_ALGORITHMS)}"'

_RPC_STATUS: Final = {3: 400, 5: 404, 6: 409, 7: 403, 8: 429, 9: 400, 10: 409, 12: 501, 13: 500, 14: 503, 16: 401}


def oauth_json(error: ServiceError, request: Request) -> Response:
    """RFC 6749 section 5.2, RFC 6750 section 3 and RFC 9449 section 5."""
    rendering = error.rendering
    headers = {**NO_STORE, **_retry_after(error)}
    if error.kind in (Kind.INVALID_TOKEN, Kind.WRONG_TOKEN_SCHEME, Kind.INSUFFICIENT_SCOPE):
        headers["WWW-Authenticate"] = challenge_of(error, _authorization(request))
    elif error.kind is Kind.INVALID_CLIENT and "authorization" in request.headers:
        headers["WWW-Authenticate"] = 'Basic realm="portico", charset="UTF-8"'
    body = {"error": rendering.oauth, "error_description": error.text}
    return JSONResponse(body, status_code=rendering.status, headers=headers)


def bearer_json(error: ServiceError, request: Request) -> Response:
    """Like `oauth_json`, with a challenge for every 4xx about an access token (RFC 6750 section 3, RFC 9449 section 7.1)."""
    response = oauth_json(error, request)
    if error.kind in _DPOP_KINDS:
        response.status_code = 401
    if error.rendering.status in (400, 401, 403):
        response.headers["WWW-Authenticate"] = challenge_of(error, _authorization(request))
    return response


def redirect(error: ServiceError, address: ReturnAddress) -> Response:
    """RFC 6749 section 4.1.2.1 and OIDC Core section 3.1.2.6, with state and iss; requires a verified address."""
    return address.respond({"error": error.rendering.oauth, "error_description": error.text})


def is_for_a_browser(error: ServiceError, request: Request) -> bool:
    """Reports whether a browser opened an unknown path."""
    accepted = request.headers.get("accept", "").lower().startswith(BROWSER_MEDIA)
    return error.id == PATH_NOT_FOUND.id and accepted and not request.scope["path"].startswith(NO_PAGES[:-1])


def rpc_status(error: ServiceError, request: Request, *, package: str = "portico_web") -> Response:
    if is_for_a_browser(error, request):
        return html_page(error, request)
    words = load_catalogue(package, pick_language(read_languages(request)).tag)
    headers = {**NO_STORE, **_retry_after(error)}
    if error.kind in CHALLENGED_KINDS:
        headers["WWW-Authenticate"] = challenge_of(error, _authorization(request))
        headers |= nonce_of(error)
    body = rpc_error(error, words.gettext).as_json()
    return JSONResponse(body, status_code=management_status(error.kind), headers=headers)


def management_status(kind: Kind) -> int:
    """Returns the HTTP status of a kind in the management API: by its google.rpc code, except for HTTP's own errors."""
    if kind in (Kind.CONTENT_TOO_LARGE, Kind.UNSUPPORTED_MEDIA_TYPE, Kind.METHOD_NOT_ALLOWED, Kind.UNIMPLEMENTED):
        return TABLE[kind].status
    return _RPC_STATUS[TABLE[kind].rpc]


def html_page(
    error: ServiceError,
    request: Request,
    *,
    retry: str = "",
    sentence: str = "",
    package: str = "portico_web",
    languages: Sequence[str] = (),
) -> Response:
    """An error page in the browser's language, with the error text, error id and request id.

    An untranslated text is omitted: the sentence is more general, and the id identifies the error.
    """
    rendering = error.rendering
    language = pick_language(languages, read_languages(request))
    words = load_catalogue(package, language.tag)
    response = page(
        "error.html",
        package=package,
        language=language,
        status=rendering.status,
        sentence=words.gettext(sentence or rendering.page),
        text=error.text if language is ENGLISH else words.find(error.text),
        code=rendering.oauth,
        error_code=error.id,
        request_id=context.REQUEST_ID.get(),
        retry=retry,
    )
    response.headers.update(_retry_after(error))
    return response


RENDERERS: Final[dict[Surface, Render]] = {
    Surface.OAUTH_JSON: oauth_json,
    Surface.PAGE: html_page,
    Surface.RPC_STATUS: rpc_status,
}


def render_errors(
    endpoint: Endpoint, render: Render, observe: Observe | None = None
) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """Renders every error of an endpoint in one format; an unexpected exception becomes a server error."""

    async def call(request: Request) -> Response:
        try:
            return await endpoint(request)
        except ServiceError as error:
            count_error(error)
            log.info("refused", error_code=error.id, kind=error.kind.value, private=error.private)
            if observe is not None:
                observe(error, request)
            return render(error, request)
        except RequestValidationError as error:
            return render(INVALID_INPUT.error(errors=len(error.errors())), request)
        except HTTPException:
            raise
        except Exception:  # the border: nothing of an unknown error leaves
            log.exception("fault")
            return render(SERVER_ERROR.error(), request)

    return call


def surface(render: Render) -> type[APIRoute]:
    """Returns a route class for one router: ``APIRouter(route_class=surface(oauth_json))``."""

    class SurfacedRoute(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            return render_errors(super().get_route_handler(), render)

    return SurfacedRoute


def install_catch_all(app: FastAPI) -> None:
    async def handle(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        error_code = {404: PATH_NOT_FOUND, 405: METHOD_NOT_ALLOWED}.get(
            status, SERVER_ERROR if status >= 500 else INVALID_INPUT
        )
        if error_code is SERVER_ERROR:
            log.error("fault outside a router", cause=type(error).__name__)
        shown = error_code.error()
        surface = Surface.PAGE if is_for_a_browser(shown, request) else surface_of(request.scope["path"])
        response = RENDERERS[surface](shown, request)
        if isinstance(error, HTTPException) and error.headers and "Allow" in error.headers:
            response.headers["Allow"] = error.headers["Allow"]
        return response

    # A path with an extra slash is another path: the framework's 307 would take its host from the request (P6,
    # AZ-16).
    app.router.redirect_slashes = False
    app.add_exception_handler(HTTPException, handle)
    app.add_exception_handler(Exception, handle)


def _authorization(request: Request) -> str:
    return request.headers.get("authorization", "")


def challenge_of(error: ServiceError, authorization: str) -> str:
    """The challenge of the scheme that was used, with the other one where the token needs that.

    Without a token it has no error (RFC 6750 section 3.1).
    """
    is_api = error.kind is Kind.UNAUTHENTICATED
    if is_api and not authorization:
        return "Bearer"
    code = TABLE[Kind.INVALID_TOKEN].oauth if is_api else error.rendering.oauth
    facts = f'error="{code}", error_description="{error.text}"'
    used = authorization[:5].lower() == f"{dpop.SCHEME.lower()} "
    is_wrong = error.kind is Kind.WRONG_TOKEN_SCHEME
    if used or error.kind in _DPOP_KINDS:
        return f"{_DPOP_CHALLENGE}, {facts}{', Bearer' if is_wrong else ''}"
    return f"Bearer {facts}{f', {_DPOP_CHALLENGE}' if is_wrong else ''}"


def nonce_of(error: ServiceError) -> dict[str, str]:
    """The header with the nonce for the next DPoP proof, of an error of token that needs one (RFC 9449 section 9)."""
    nonce = error.private.get("dpop_nonce")
    return {dpop.NONCE_HEADER: nonce} if isinstance(nonce, str) else {}


def _retry_after(error: ServiceError) -> dict[str, str]:
    if error.retry_after is None and error.kind not in (Kind.UNAVAILABLE, Kind.TOO_MANY_REQUESTS):
        return {}
    return {"Retry-After": str(error.retry_after or 1)}
