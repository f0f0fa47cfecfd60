"""The pages the gateway answers with by itself, where no service can: static, in the language of the browser.

The words are those of the services' error pages: `make gen` writes `gateway_words.json` from their catalogues. Which language it is the gateway finds by one
``map`` on the first tag of Accept-Language.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Final, NamedTuple

from portico_contracts.http import LOGIN_STATIC


class Words(NamedTuple):
    """The texts of the pages in one language."""

    tag: str
    direction: str
    title: str
    unavailable: str
    refused: str
    start: str
    code: str
    request: str


_FILE: Final = files(__package__).joinpath("gateway_words.json")

WORDS: Final = tuple(Words(**row) for row in json.loads(_FILE.read_text("utf-8")))
"""English comes first: it is what everybody gets whose language is not there."""

_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        *(f"{directive} 'none'" for directive in ("form-action", "object-src", "base-uri", "frame-ancestors")),
    )
)
PAGE_HEADERS: Final = [
    f'header Content-Security-Policy "{_POLICY}"',
    "header Referrer-Policy same-origin",
    "header X-Frame-Options DENY",
]


def words_map() -> list[str]:
    """The directive that finds the words of a request."""
    names = " ".join(f"{{page_{name}}}" for name in Words._fields)
    rows = [f"`~(?i)^\\s*{words.tag}\\b` {_quoted(words)}" for words in WORDS[1:]]
    return [
        f"map {{http.request.header.Accept-Language}} {names} {{",
        *(f"\t{row}" for row in (*rows, f"default {_quoted(WORDS[0])}")),
        "}",
    ]


def error_page(sentence: str, code: str) -> str:
    """The page; ``sentence`` is `unavailable` or `refused`. The stylesheet is that of the login pages, if they answer."""
    return (
        '<!doctype html><html lang="{page_tag}" dir="{page_direction}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
        f'<title>{{page_title}}</title><link rel="stylesheet" href="{LOGIN_STATIC}/portico.css"></head><body><main>'
        '<section class="card" id="error-page" aria-labelledby="error-title"><h1 id="error-title">{page_title}</h1>'
        f'<p class="lead">{{page_{sentence}}}</p>'
        '<p class="actions"><a class="button" id="error-start" href="/">{page_start}</a></p><dl class="facts">'
        f'<div><dt>{{page_code}}</dt><dd><code dir="ltr">{code}</code></dd></div>'
        '<div><dt>{page_request}</dt><dd><code dir="ltr">{http.request.uuid}</code></dd></div></dl></section></main></body></html>'
    )


def _quoted(words: Words) -> str:
    return " ".join(f'"{text}"' for text in words)
