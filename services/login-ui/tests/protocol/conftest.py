from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

import httpx
import pytest
from portico_contracts.login import Answer, Step
from portico_fakes.fake_link_api import FakeLinkApi
from portico_fakes.fake_login_api import BROWSER, KEY, REQUEST, FakeLoginApi
from portico_fakes.over_httpx import OverHttpx
from portico_harness.html_forms import Document
from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings
from portico_web.cookies import BrowserCookie
from pydantic import SecretStr

ISSUER = "https://id.example"

Press = Callable[[str, Mapping[str, str]], Awaitable[httpx.Response]]


class ScriptedLoginApi(FakeLoginApi):
    """The parent's login API, with next steps that a test can set."""

    def __init__(self, following: list[Step]) -> None:
        super().__init__()
        self._following = following

    def _move(self, answer: Answer) -> None:
        if self._following:
            self.step = self._following.pop(0)
        else:
            super()._move(answer)


@pytest.fixture
def following() -> list[Step]:
    """Steps returned next, one after the other."""
    return []


@pytest.fixture
def api(following: list[Step]) -> FakeLoginApi:
    return ScriptedLoginApi(following)


@pytest.fixture
async def browser(api: FakeLoginApi) -> AsyncIterator[httpx.AsyncClient]:
    http = OverHttpx(httpx.ASGITransport(api.app))
    app, _ = create_app(Settings(issuer=ISSUER, login_api_key=SecretStr(KEY)), http=http)
    cookie = f"{BrowserCookie(ISSUER).name}={BROWSER}"
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url=ISSUER, headers={"Cookie": cookie}
    ) as client:
        yield client


@pytest.fixture
def press(browser: httpx.AsyncClient) -> Press:
    """Opens the page and submits it with a button, filling in fields by id."""

    async def submit_form(button: str, typed: Mapping[str, str]) -> httpx.Response:
        form = Document((await browser.get(f"/ui/login?request={REQUEST}")).text).form_with(button)
        assert form is not None, f"no {button} on the page"
        return await browser.post(form.action, data=form.filled(button, dict(typed)), headers={"Origin": ISSUER})

    return submit_form


@pytest.fixture
def links() -> FakeLinkApi:
    return FakeLinkApi()


@pytest.fixture
async def reader(links: FakeLinkApi) -> AsyncIterator[httpx.AsyncClient]:
    http = OverHttpx(httpx.ASGITransport(links.app))
    app, _ = create_app(Settings(issuer=ISSUER, login_api_key=SecretStr(KEY)), http=http)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ISSUER) as client:
        yield client
