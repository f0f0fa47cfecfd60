from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from portico_contracts import gateway as rules
from portico_contracts.http import GATEWAY, Surface

from portico_stack.gateway.caddy_syntax import at, nested
from portico_stack.gateway.pages import PAGE_HEADERS, WORDS, Words, error_page

REQUEST_ID: Final = "{http.request.uuid}"
ANSWER_HEADERS: Final = [
    f"header X-Request-Id {REQUEST_ID}",
    *(f"header {name} {value}" for name, value in rules.ANSWER_HEADERS),
]
DEFAULT_HEADERS: Final = [header.replace("header ", "header ?") for header in ANSWER_HEADERS]

HTTP_1: Final = "@http1"
"""Matches requests whose connection is closed because the rest of their body may be unread; in HTTP/2 the stream
ends.
"""

_UNREACHABLE: Final = (502, 503, 504)
_UNREADABLE: Final = "chunked|chunk length|header line too long|^unexpected EOF$|^read.* unexpected EOF$"
"""Go's error texts for a malformed or aborted request body."""

_LATE: Final = "^(read.* )?i/o timeout$"
"""The text for an HTTP/2 body that does not arrive in time."""


def errors() -> list[str]:
    """The directives for invalid requests, and for services without a reachable replica."""
    unavailable = [
        f"@late expression `{{err.message}}.matches({json.dumps(_LATE)})`",
        *nested("handle @late", by_surface("late", _too_slow)),
        # An unreadable body is a client error, although Caddy detects it while it talks to a service.
        f"@unreadable expression `{{err.message}}.matches({json.dumps(_UNREADABLE)})`",
        *nested(
            "handle @unreadable", by_surface("unreadable", lambda surface: refused(surface, "400", rules.BROKEN_BODY))
        ),
        *nested("handle", by_surface("unavailable", _unavailable)),
    ]
    codes = " ".join(str(code) for code in _UNREACHABLE)
    other = by_surface("refused", lambda surface: refused(surface, "{err.status_code}", "{err.status_text}."))
    return [*nested(f"handle_errors {codes}", unavailable), *nested("handle_errors", other)]


def late() -> list[str]:
    """If an HTTP/1.1 body does not arrive, Caddy treats its client as disconnected: 499 without a body."""
    answers = by_surface("late", _too_slow)
    return nested("intercept", ["@broken status 499", *nested("handle_response @broken", answers)])


def by_surface(name: str, answer_at: Callable[[Surface], list[str]]) -> list[str]:
    lines = []
    for surface in (Surface.PAGE, Surface.RPC_STATUS):
        paths = [route.path for route in GATEWAY if route.surface is surface]
        matcher = f"@{name}_{surface.value}"
        lines += [f"{matcher} {at(paths)}", *nested(f"handle {matcher}", answer_at(surface))]
    return [*lines, *nested("handle", answer_at(Surface.OAUTH_JSON))]


def _unavailable(surface: Surface) -> list[str]:
    if surface is Surface.PAGE:
        lines = page_answer(503, "unavailable", "server_error")
    else:
        lines = answer(503, rules.JSON, rules.unavailable(surface))
    return ["header Retry-After 1", *lines]


def _too_slow(surface: Surface) -> list[str]:
    return refused(surface, "408", rules.TOO_SLOW)


def refused(surface: Surface, status: str, text: str) -> list[str]:
    """A client error, after which the connection is closed."""
    if surface is Surface.PAGE:
        lines = page_answer(status, "refused", "invalid_request")
    else:
        lines = answer(status, rules.JSON, rules.error_response(surface, text))
    # The end of an unreadable body is unknown: what follows must not be parsed as a request (IN-01).
    return [f"header {HTTP_1} Connection close", *lines]


def page_answer(status: int | str, sentence: str, code: str) -> list[str]:
    headers = (f'header {name} "{value}"' if " " in value else f"header {name} {value}" for name, value in PAGE_HEADERS)
    page = error_page(sentence, code, lambda word: f"{{page_{word}}}", REQUEST_ID)
    return [*headers, *answer(status, rules.HTML, page)]


def answer(status: int | str, media: str, body: str) -> list[str]:
    return ["import answer", f'header Content-Type "{media}"', f"respond `{body}` {status}"]


def words_map() -> list[str]:
    names = " ".join(f"{{page_{name}}}" for name in Words._fields)
    rows = [f"`~(?i){words.pattern}` {_quoted(words)}" for words in WORDS[1:]]
    return nested(f"map {{http.request.header.Accept-Language}} {names}", [*rows, f"default {_quoted(WORDS[0])}"])


def _quoted(words: Words) -> str:
    return " ".join(f'"{text}"' for text in words)
