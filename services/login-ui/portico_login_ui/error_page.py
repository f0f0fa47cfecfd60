from __future__ import annotations

from typing import Final

from portico_contracts.error_ids import (
    FIRST_RUN_LINK_INVALID,
    HAS_OWNER,
    PROVIDER_RETURN_OF_OTHER_BROWSER,
    SIGN_IN_FORM_USED,
    SIGN_IN_OF_OTHER_BROWSER,
    SIGN_OUT_FORM_USED,
    SIGN_OUT_OF_OTHER_BROWSER,
)
from portico_contracts.http import LOGOUT
from portico_oauth.errors import Kind, ServiceError
from portico_web.surfaces import html_page
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.request_context import address_of, find_request_id

_OURS: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.TOO_MANY_REQUESTS})
"""Errors that may disappear at the next attempt."""
_OVER: Final = frozenset({Kind.NOT_FOUND, Kind.FAILED_PRECONDITION})
"""Errors that no retry in this browser can fix."""

SENTENCES: Final = {
    SIGN_IN_OF_OTHER_BROWSER: "This sign-in was started in another browser.",
    PROVIDER_RETURN_OF_OTHER_BROWSER: "This sign-in was started in another browser.",
    SIGN_OUT_OF_OTHER_BROWSER: "This sign-out was started in another browser.",
    SIGN_IN_FORM_USED: "This form was already sent.",
    SIGN_OUT_FORM_USED: "This form was already sent.",
    FIRST_RUN_LINK_INVALID: "This link was already used, or is no longer valid.",
    HAS_OWNER: "This installation already has an administrator.",
}
"""First sentence of the error page by error id, where it is more precise than that of the error's kind."""
NO_SIGN_IN: Final = "This sign-in cannot be continued."
NO_SIGN_OUT: Final = "This sign-out cannot be continued."


def flow_error_page(error: ServiceError, request: Request) -> Response:
    """Links to the flow's page by GET, which continues where a double click used the CSRF value (LG-14)."""
    over = NO_SIGN_OUT if request.scope["path"] == LOGOUT else NO_SIGN_IN
    sentence = SENTENCES.get(error.id, over if error.kind in _OVER else "")
    return html_page(error, request, retry=_way_on(error, request), sentence=sentence, package="portico_login_ui")


def own_error_page(error: ServiceError, request: Request) -> Response:
    return html_page(error, request, sentence=SENTENCES.get(error.id, ""), package="portico_login_ui")


def _way_on(error: ServiceError, request: Request) -> str:
    request_id = find_request_id(request)
    may_help = error.kind not in _OVER if request.method == "POST" else error.kind in _OURS
    return address_of(request.scope["path"], request_id) if request_id and may_help else ""
