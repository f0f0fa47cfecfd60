"""The error page of a sign-in or sign-out: with a way on wherever carrying on can help."""

from __future__ import annotations

from typing import Final

from portico_contracts.http import LOGIN
from portico_oauth.errors import Kind, Refusal
from portico_web.surfaces import html_page
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.visit import address_of, find_request_id

_OURS: Final = frozenset({Kind.UNAVAILABLE, Kind.FAULT, Kind.SLOW_DOWN})
"""What may have passed at the next attempt."""
_OVER: Final = frozenset({Kind.ABSENT, Kind.PRECONDITION})
"""What no attempt changes: this sign-in cannot go on in this browser."""

SENTENCES: Final = {
    "AUTHZ-031": "This sign-in belongs to another browser.",
    "AUTHZ-056": "This sign-out belongs to another browser.",
    "LOGIN-001": "This form was sent already.",
    "LOGIN-005": "This form was sent already.",
}
"""What a person reads first, by the id of the fact, where that says more than the sentence of its kind."""
NO_SIGN_IN: Final = "This sign-in cannot go on."
NO_SIGN_OUT: Final = "This sign-out cannot go on."


def flow_error_page(refusal: Refusal, request: Request) -> Response:
    """The shared error page; the link leads to the page of the flow, by GET, so it changes nothing.

    A form sent twice by a double click meets a used token (LG-14) while its first half went through: the link
    then leads on.
    """
    over = NO_SIGN_IN if request.scope["path"] == LOGIN else NO_SIGN_OUT
    sentence = SENTENCES.get(refusal.id, over if refusal.kind in _OVER else "")
    return html_page(refusal, request, retry=_way_on(refusal, request), sentence=sentence, package="portico_login_ui")


def own_error_page(refusal: Refusal, request: Request) -> Response:
    """The error page of everything else here."""
    return html_page(refusal, request, package="portico_login_ui")


def _way_on(refusal: Refusal, request: Request) -> str:
    request_id = find_request_id(request)
    may_help = refusal.kind not in _OVER if request.method == "POST" else refusal.kind in _OURS
    return address_of(request.scope["path"], request_id) if request_id and may_help else ""
