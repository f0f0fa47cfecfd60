"""The gateway's error pages: in the browser's language, with a link, by each program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_harness.gateway_alone import running
from portico_harness.plain_http import plain_http
from portico_stack.gateway.pages import WORDS, Words
from portico_stack.machine.ports import free_port
from portico_stack.servers.gateway import GatewayServer
from portico_web.catalogue import load_catalogue
from portico_web.languages import LANGUAGES

SAID = {
    "title": "Something went wrong",
    "unavailable": "The service is temporarily unavailable. Please try again in a moment.",
    "refused": "The link or form that led here is incomplete.",
    "absent": "Page not found.",
    "start": "Go to the start page",
    "details": "Technical details",
    "code": "Error code",
    "request": "Request",
}


@pytest.fixture(scope="module")
async def address(tmp_path_factory: pytest.TempPathFactory, program: type[GatewayServer]) -> AsyncIterator[str]:
    data = tmp_path_factory.mktemp("gateway-pages")
    upstreams = {service: (f"127.0.0.1:{free_port()}",) for service in SERVICES}
    server = program(data / "gateway", free_port(), free_port(), upstreams)
    async with running(server, data / "logs"):
        yield server.url


@pytest.mark.parametrize("words", WORDS, ids=lambda words: words.tag)
def test_gateway_uses_the_texts_of_the_services(words: Words) -> None:
    """Gateway and services use the same texts, so that pages do not reveal which one answered."""
    catalogue = load_catalogue("portico_web", words.tag)

    assert {name: catalogue.gettext(text) for name, text in SAID.items()} == {
        name: getattr(words, name) for name in SAID
    }


def test_gateway_has_every_language_of_the_pages() -> None:
    """Every language of the pages exists in the gateway with its text direction."""
    assert [(words.tag, words.direction) for words in WORDS] == [(one.tag, one.direction) for one in LANGUAGES]


HEADERS = {
    "en": "en",
    "de": "de",
    "fr": "fr",
    "it": "it",
    "es": "es",
    "pt": "pt",
    "pl": "pl",
    "nl": "nl",
    "ja": "ja",
    "zh": "zh",
    "ar": "ar",
    "de-CH,en;q=0.8": "de",
    "FR": "fr",
    "": "en",
    "sv,de": "en",
    "den": "en",
}
"""The page's language by the browser's header."""


@pytest.fixture(scope="module")
async def answers(address: str) -> dict[str, tuple[httpx.Response, httpx.Response]]:
    """The responses for an unavailable service and a refused request by header, requested concurrently."""
    async with plain_http(address) as browser:

        async def ask(header: str) -> tuple[httpx.Response, httpx.Response]:
            headers = {"Accept-Language": header}
            down = browser.get("/ui/login", headers=headers)
            return await down, await browser.request("GET", "/ui/login", headers=headers, content=b"x")

        return dict(zip(HEADERS, await asyncio.gather(*map(ask, HEADERS)), strict=True))


@pytest.mark.servers
@pytest.mark.parametrize(("header", "tag"), HEADERS.items())
async def test_error_page_is_in_the_browsers_language(
    answers: dict[str, tuple[httpx.Response, httpx.Response]], header: str, tag: str
) -> None:
    """The first language tag counts, and the page has a link to the start, code and request id."""
    down, refused = answers[header]
    words = next(words for words in WORDS if words.tag == tag)

    assert (down.status_code, refused.status_code) == (503, 400)
    for answer, sentence, code in (
        (down, words.unavailable, "server_error"),
        (refused, words.refused, "invalid_request"),
    ):
        assert f'<html lang="{tag}" dir="{words.direction}">' in answer.text
        assert f'<a class="button" id="error-start" href="/">{words.start}</a>' in answer.text
        assert sentence in answer.text
        assert f'<code dir="ltr">{code}</code>' in answer.text
        assert f'<code dir="ltr">{answer.headers["X-Request-Id"]}</code>' in answer.text
        assert "{" not in answer.text
        assert "style-src 'self'" in answer.headers["Content-Security-Policy"]
