"""The page for the code of a device, and what the approval page shows of it (RFC 8628)."""

from __future__ import annotations

import httpx
import pytest
from portico_contracts.http import DEVICE_PAGE, LOGIN
from portico_contracts.login import Problem
from portico_contracts.login_device import DeviceOpened, OpenDevice
from portico_contracts.login_steps.consent import AskingDevice, RequestedScope
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import BROWSER, REQUEST, FakeLoginApi
from portico_fakes.login_messages import moved
from portico_harness.html_forms import Document
from portico_web.cookies import BrowserCookie

ISSUER = "https://id.example"
RESUME = f"/oauth/v2/authorize/resume?request={REQUEST}"


async def send(browser: httpx.AsyncClient, code: str, origin: str = ISSUER) -> httpx.Response:
    return await browser.post(DEVICE_PAGE, data={"user_code": code}, headers={"Origin": origin})


async def test_link_only_fills_in_the_code(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """Nothing is sent to authz before the button is pressed, and the page needs no script."""
    answer = await browser.get(DEVICE_PAGE, params={"user_code": 'BCDF-GHJK"><script>'})
    form = Document(answer.text).form_with("device-submit")

    assert form is not None
    assert form.filled("device-submit", {})["user_code"] == 'BCDF-GHJK"><script>'
    assert "<script" not in answer.text
    assert len(answer.content) < 12_000
    assert api.returned == []


async def test_right_code_continues_with_the_sign_in(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """303 to authz, with the browser's cookie."""
    cookie = f"{BrowserCookie(ISSUER).name}=new; Path=/; Secure; HttpOnly"
    api.opened = DeviceOpened(continue_to=RESUME, set_cookie=cookie)
    answer = await send(browser, "bcdf ghjk")

    assert (answer.status_code, answer.headers["location"]) == (303, RESUME)
    assert answer.headers["set-cookie"] == cookie
    assert api.returned == [OpenDevice(browser=BROWSER, user_code="bcdf ghjk", address="127.0.0.1")]


@pytest.mark.parametrize(
    ("opened", "text"),
    [
        (DeviceOpened(problem=Problem.WRONG_CODE), "The code is wrong or has expired."),
        (DeviceOpened(problem=Problem.SLOW_DOWN, retry_after=600), "Please wait 10 minutes"),
    ],
)
async def test_problem_is_shown_with_the_code(
    browser: httpx.AsyncClient, api: FakeLoginApi, opened: DeviceOpened, text: str
) -> None:
    api.opened = opened
    answer = await send(browser, "BCDF-GHJK")

    assert answer.status_code == 200
    assert text in answer.text
    assert 'value="BCDF-GHJK"' in answer.text


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", ""])
async def test_code_leads_nowhere_else(browser: httpx.AsyncClient, api: FakeLoginApi, target: str) -> None:
    api.opened = DeviceOpened(continue_to=target)
    answer = await send(browser, "BCDF-GHJK")

    assert answer.status_code == 500
    assert "location" not in answer.headers


async def test_form_of_another_site_is_refused(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    answer = await send(browser, "BCDF-GHJK", "https://evil.example")

    assert answer.status_code == 403
    assert api.returned == []


@pytest.mark.parametrize(("answer", "text"), [("approved", "You are signed in on your device"), ("x", "was denied")])
async def test_last_page_sends_the_user_back(browser: httpx.AsyncClient, answer: str, text: str) -> None:
    assert text in (await browser.get(DEVICE_PAGE, params={"answer": answer})).text


async def test_approval_page_names_code_time_and_place(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The page also warns of codes from other people, and has a button that denies."""
    device = AskingDevice("BCDFGHJK", 1_790_000_000, "198.51.100.7", "CH")
    named = {"org_name": "Acme", "client_name": "Television", "return_uri": ""}
    api.step = moved(api.step, StepName.CONSENT, scopes=(RequestedScope("openid"),), device=device, **named)
    page = (await browser.get(LOGIN, params={"request": REQUEST})).text

    for text in (
        "Allow Television to use your account on a device?",
        '<bdi id="client-org">Acme</bdi>',
        '<strong id="device-code">BCDF-GHJK</strong>',
        "2026-09-21 14:13 UTC",
        "198.51.100.7",
        '<bdi id="device-country">Switzerland</bdi>',
        '<script src="/ui/login/static/pages.js',
        "If another person sent you the code, deny it.",
        ">Deny</button>",
    ):
        assert text in page, text
    assert len(page.encode()) < 12_000
