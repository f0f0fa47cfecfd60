from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from portico_fakes.fake_login_api import FakeLoginApi
from portico_fakes.over_httpx import OverHttpx
from portico_harness.html_forms import Document
from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings
from portico_web.stylesheet import stylesheet

ISSUER = "https://id.example"


@pytest.fixture
async def stranger() -> AsyncIterator[httpx.AsyncClient]:
    app, _ = create_app(Settings(issuer=ISSUER), http=OverHttpx(httpx.ASGITransport(FakeLoginApi().app)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ISSUER) as client:
        yield client


async def test_signed_out_page_has_its_element_id(stranger: httpx.AsyncClient) -> None:
    """The element id and the words are those that conformance tools look for (conformance §4)."""
    answer = await stranger.get("/ui/login/logged-out")

    assert answer.status_code == 200
    assert "logged-out-page" in Document(answer.text).ids
    assert "signed out" in answer.text


async def test_stylesheet_url_changes_with_its_content(stranger: httpx.AsyncClient) -> None:
    page = (await stranger.get("/ui/login/logged-out")).text
    assert f'href="{stylesheet().address}"' in page
    answer = await stranger.get(stylesheet().address)

    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.content == stylesheet().content


@pytest.mark.parametrize("query", ["", "?v=", "?v=0123456789ab"])
async def test_unknown_stylesheet_version_is_cached_briefly(stranger: httpx.AsyncClient, query: str) -> None:
    answer = await stranger.get(f"/ui/login/static/portico.css{query}")

    assert answer.headers["cache-control"] == "public, max-age=300, must-revalidate"


@pytest.mark.parametrize("condition", ["{tag}", "W/{tag}", '"other", {tag}', "*"])
async def test_known_stylesheet_gets_304(stranger: httpx.AsyncClient, condition: str) -> None:
    """A matching If-None-Match gets a 304 without a body (RFC 9110 §13.1.2)."""
    tag = (await stranger.get("/ui/login/static/portico.css")).headers["etag"]
    answer = await stranger.get(
        "/ui/login/static/portico.css", headers={"If-None-Match": condition.replace("{tag}", tag)}
    )

    assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)


async def test_changed_stylesheet_is_sent(stranger: httpx.AsyncClient) -> None:
    answer = await stranger.get("/ui/login/static/portico.css", headers={"If-None-Match": '"other"'})

    assert answer.status_code == 200
