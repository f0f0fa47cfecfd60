"""The error page of a sign-in: with a way on wherever carrying on can help."""

from __future__ import annotations

from typing import Final

from portico_oauth.errors import Kind, Refusal
from portico_web.surfaces import html_page
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.visit import address_of, find_request_id

_OURS: Final = frozenset({Kind.UNAVAILABLE, Kind.FAULT, Kind.SLOW_DOWN})
"""What may have passed at the next attempt."""
_OVER: Final = frozenset({Kind.ABSENT, Kind.PRECONDITION})
"""What no attempt changes: this sign-in cannot go on in this browser."""
_OVER_SENTENCE: Final = "This sign-in cannot go on."


def login_error_page(refusal: Refusal, request: Request) -> Response:
    """The shared error page; the link leads to the step the request is at, by GET, so it changes nothing.

    A form sent twice by a double click meets a used token (LG-14) while its first half went through: the link
    then leads on.
    """
    sentence = _OVER_SENTENCE if refusal.kind in _OVER else ""
    return html_page(refusal, request, retry=_way_on(refusal, request), sentence=sentence)


def _way_on(refusal: Refusal, request: Request) -> str:
    request_id = find_request_id(request)
    may_help = refusal.kind not in _OVER if request.method == "POST" else refusal.kind in _OURS
    return address_of(request_id) if request_id and may_help else ""
