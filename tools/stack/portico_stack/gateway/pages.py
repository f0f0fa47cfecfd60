"""The gateway's static error pages, by the first tag of Accept-Language; `make gen` writes `words.json`."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Final, NamedTuple

from portico_contracts.http import LOGIN_STATIC


class Words(NamedTuple):
    tag: str
    direction: str
    title: str
    unavailable: str
    refused: str
    absent: str
    start: str
    details: str
    code: str
    request: str

    @property
    def pattern(self) -> str:
        return rf"^\s*{self.tag}\b"


_FILE: Final = files(__package__).joinpath("words.json")

WORDS: Final = tuple(Words(**row) for row in json.loads(_FILE.read_text("utf-8")))
"""English comes first: it is the fallback."""

_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        *(f"{directive} 'none'" for directive in ("form-action", "object-src", "base-uri", "frame-ancestors")),
    )
)
PAGE_HEADERS: Final = (
    ("Content-Security-Policy", _POLICY),
    ("Referrer-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
)


def error_page(sentence: str, code: str, word: Callable[[str], str], request_id: str) -> str:
    """`word` and `request_id` are the program's syntax for a field of `Words` and for the request's id."""
    title = word("title")
    return (
        f'<!doctype html><html lang="{word("tag")}" dir="{word("direction")}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
        f'<title>{title}</title><link rel="stylesheet" href="{LOGIN_STATIC}/portico.css"></head><body><main>'
        f'<section class="card" id="error-page" aria-labelledby="error-title"><h1 id="error-title">{title}</h1>'
        f'<p class="lead">{word(sentence)}</p>'
        f'<p class="actions"><a class="button" id="error-start" href="/">{word("start")}</a></p><details class="facts"><summary>{word("details")}</summary><dl>'
        f'<div><dt>{word("code")}</dt><dd><code dir="ltr">{code}</code></dd></div>'
        f'<div><dt>{word("request")}</dt><dd><code dir="ltr">{request_id}</code></dd></div></dl></details></section></main></body></html>'
    )
