from __future__ import annotations

from typing import Final

from portico_contracts import gateway as rules
from portico_contracts.gateway import SECONDS
from portico_contracts.http import Surface

from portico_stack.gateway.pages import PAGE_HEADERS, WORDS, Words, error_page

WORDS_FILE: Final = "words.map"
LANGUAGE: Final = "http-request set-var(txn.language) req.fhdr(accept-language),lower"
"""Read by pages."""
REQUEST_ID: Final = "%[unique-id]"
_UNREACHABLE: Final = (500, 502, 503, 504)
_SAID: Final = {400: rules.BROKEN_BODY, 408: rules.TOO_SLOW, 413: rules.TOO_LARGE}
"""Errors of unreadable requests. A request that is not HTTP gets a 400 that cannot be configured."""

_SENTENCES: Final = {**dict.fromkeys(_UNREACHABLE, "unavailable"), 404: "absent"}

_REFUSED_FROM: Final = 2
"""A body announced with more than this multiple of its limit is rejected here; services reject smaller and
chunked ones. HAProxy closes the connection while the client still sends, which would lose the error; the
services' errors arrive.
"""


def errors(surface: Surface) -> list[str]:
    """The directives for invalid requests, and for services without a reachable replica."""
    return [f"http-error {answer(surface, status)}" for status in (*_SAID, *_UNREACHABLE)]


def error_responses(surface: Surface, max_body: int) -> list[str]:
    bodiless = f"{{ method {' '.join(rules.NO_BODY_METHODS)} }}"
    chunked = "{ req.hdr(transfer-encoding) -m found }"
    return [
        *([LANGUAGE] if surface is Surface.PAGE else []),
        *errors(surface),
        f"http-request return {answer(surface, 413)} if {{ req.hdr_val(content-length) gt {_REFUSED_FROM * max_body} }}",
        f"http-request wait-for-body time {SECONDS.body}s",
        f"http-request return {answer(surface, 431, rules.LONG_HEAD)} if {{ req.hdrs,length gt {rules.MAX_HEAD} }} or {{ url,length gt {rules.MAX_HEAD} }}",
        f"http-request return {answer(surface, 505, rules.VERSION)} unless {{ req.ver 1.0 1.1 2.0 3.0 }}",
        f"http-request return {answer(surface, 400, rules.NUL)} if {{ req.hdrs -m reg '\\x00' }}",
        f"http-request return {answer(surface, 400, rules.NO_BODY)} if {bodiless} {{ req.hdr_val(content-length) gt 0 }}",
        f"http-request return {answer(surface, 400, rules.NO_BODY)} if {bodiless} {chunked}",
    ]


def answer(surface: Surface, status: int, text: str = "") -> str:
    unreachable = status in _UNREACHABLE
    headers: list[tuple[str, str]] = [("Retry-After", "1") if unreachable else ("Connection", "close")]
    if surface is Surface.PAGE:
        code = "server_error" if unreachable else "invalid_request"
        media, body = rules.HTML, _literal_page(_SENTENCES.get(status, "refused"), code)
        headers += PAGE_HEADERS
    else:
        media = rules.JSON
        body = rules.unavailable(surface) if unreachable else rules.error_response(surface, text or _SAID[status])
        body = body.replace("%", "%%")
    told = " ".join(f"hdr {name} {quoted(value)}" for name, value in headers)
    return f"status {status} content-type {quoted(media)} lf-string {quoted(body)} {told}"


def _literal_page(sentence: str, code: str) -> str:
    def word(name: str) -> str:
        number = Words._fields.index(name) + 1
        return f"%[str(),concat(,txn.language),map_reg({WORDS_FILE}),field({number},|)]"

    return error_page(sentence, code, word, REQUEST_ID)


def words_map() -> str:
    rows = [(words.pattern, words) for words in WORDS[1:]] + [("^", WORDS[0])]
    return "".join(f"{pattern} {'|'.join(words)}\n" for pattern, words in rows)


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    return f'"{escaped}"'
