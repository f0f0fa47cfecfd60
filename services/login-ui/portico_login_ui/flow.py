"""The dependencies and helpers that all pages share. Pages hold no state between two requests."""

from __future__ import annotations

from typing import Any, NamedTuple

from portico_oauth.parameters import Parameters
from portico_web.cookies import BrowserCookie
from portico_web.languages import find_language, pick_language, read_languages
from portico_web.pages import page
from portico_web.trusted_proxies import TrustedProxies
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.authz_client import AuthzClient
from portico_login_ui.redirects import Redirects


class FlowParts(NamedTuple):
    """The dependencies of every flow; `console` is the address of the console."""

    authz: AuthzClient
    cookie: BrowserCookie
    onward: Redirects
    issuer: str
    proxies: TrustedProxies
    console: str


class Flow:
    """Shows pages and takes their forms."""

    def __init__(self, parts: FlowParts) -> None:
        self._authz, self._cookie, self._onward, self._issuer, self._proxies, self._console = parts


def own_page(template: str, request: Request, **context: Any) -> Response:
    """A page that belongs to no sign-in, in the language of the browser."""
    language = pick_language(read_languages(request))
    return page(template, package="portico_login_ui", language=language, **context)


def email_languages(form: Parameters, preferred: tuple[str, ...]) -> tuple[str, ...]:
    """The languages for an email: the language of the page first, which the client may have chosen."""
    shown = find_language(form.get("language", ""))
    return (shown.tag, *preferred) if shown else preferred
