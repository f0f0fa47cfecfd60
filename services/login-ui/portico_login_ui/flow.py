"""The dependencies and helpers that all pages share. Pages hold no state between two requests."""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from portico_contracts.http import LANGUAGE_CHOICE, STAYS
from portico_oauth.parameters import Parameters
from portico_web.cookies import BrowserCookie
from portico_web.language_choice import LanguageSwitch
from portico_web.languages import find_language, pick_language, read_languages
from portico_web.pages import page
from portico_web.trusted_proxies import TrustedProxies
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.authz_client import AuthzClient
from portico_login_ui.redirects import Redirects

_READ: Final = frozenset(
    {"answer", "by", "code", "codeID", "done", "invitation", "loginName", "orgID", "request", "sent", "user_code"}
    | {"userID", STAYS}
)
"""The parameters of these pages."""


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
    """A page that belongs to no sign-in, in the language of the browser.

    Another language can be chosen only on a page that was not the result of a form: it is loaded again.
    """
    language = pick_language(read_languages(request))
    language_switch = LanguageSwitch(LANGUAGE_CHOICE, own_address(request)) if request.method != "POST" else None
    return page(template, package="portico_login_ui", language=language, language_switch=language_switch, **context)


def own_address(request: Request) -> str:
    """Returns the address of the page, without parameters that no page reads: those are not shown either (AZ-10)."""
    read = [(name, value) for name, value in request.query_params.multi_items() if name in _READ]
    return f"{request.scope['path']}?{urlencode(read)}" if read else str(request.scope["path"])


def email_languages(form: Parameters, preferred: tuple[str, ...]) -> tuple[str, ...]:
    """The languages for an email: the language of the page first, which the client may have chosen."""
    shown = find_language(form.get("language", ""))
    return (shown.tag, *preferred) if shown else preferred
