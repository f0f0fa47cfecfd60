"""The login name page offers passkeys in its field (WebAuthn conditional mediation)."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_harness.html_forms import Document
from portico_oauth.errors import Kind, ServiceError
from portico_web.key_script import key_script

ISSUER = "https://id.example"
PAGE = f"/ui/login?request={REQUEST}"
OFFER = f"/ui/login/passkey/options?request={REQUEST}"
OPTIONS = json.dumps({"publicKey": {"challenge": "AAAA"}})

Press = Callable[[str, Mapping[str, str]], Awaitable[httpx.Response]]


async def test_first_page_offers_passkeys(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The field has the autocomplete token, and the policy allows the script and the one URL it fetches (AZ-08)."""
    api.step = replace(api.step, may_use_passkey=True)
    page = await browser.get(PAGE)
    policy = page.headers["content-security-policy"]

    assert 'autocomplete="username webauthn"' in page.text
    assert f'data-offer="{OFFER}"' in page.text
    assert f"script-src {ISSUER}{key_script().path};" in policy
    assert f"connect-src {ISSUER}/ui/login/passkey/options;" in policy


async def test_without_passkeys_the_page_has_no_script(browser: httpx.AsyncClient) -> None:
    page = await browser.get(PAGE)

    assert 'autocomplete="username" ' in page.text
    assert "data-offer" not in page.text
    assert "connect-src" not in page.headers["content-security-policy"]


async def test_script_gets_the_options_of_authz(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The options are uncacheable JSON, or 204 if no passkey is accepted."""
    api.options = OPTIONS
    answer = await browser.post(OFFER, headers={"Origin": ISSUER})
    api.options = ""
    nothing = await browser.post(OFFER, headers={"Origin": ISSUER})

    assert (answer.status_code, answer.json()) == (200, json.loads(OPTIONS))
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    assert (nothing.status_code, nothing.content) == (204, b"")


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        (OFFER, {"Origin": "https://evil.example"}, 403),
        (OFFER, {"Origin": ISSUER, "Cookie": ""}, 400),
        ("/ui/login/passkey/options", {"Origin": ISSUER}, 400),
        (f"{OFFER}&request=x", {"Origin": ISSUER}, 400),
    ],
)
async def test_script_error_is_json(
    browser: httpx.AsyncClient, address: str, headers: dict[str, str], status: int
) -> None:
    """Another site, a missing cookie and an unknown sign-in get a documented JSON error (LG-14)."""
    answer = await browser.post(address, headers=headers)

    assert answer.status_code == status
    assert answer.json()["details"][0]["id"]


async def test_failing_offer_is_503_and_the_page_works(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    api.error = ServiceError(Kind.UNAVAILABLE, "USER-999", "The store cannot be asked.", retry_after=1)
    answer = await browser.post(OFFER, headers={"Origin": ISSUER})

    assert answer.status_code == 503


async def test_passkey_assertion_is_submitted_by_the_first_page(api: FakeLoginApi, press: Press) -> None:
    """A partly typed login name is not sent with it."""
    api.step = replace(api.step, may_use_passkey=True)
    await press("loginname-submit", {"loginname": "ad", "credential": '{"id": "k"}'})

    [answer] = api.answers
    assert (answer.step, answer.credential, answer.login_name) == (StepName.LOGIN_NAME, '{"id": "k"}', "")


async def test_empty_passkey_field_is_ignored(browser: httpx.AsyncClient, api: FakeLoginApi, press: Press) -> None:
    api.step = replace(api.step, may_use_passkey=True)
    form = Document((await browser.get(PAGE)).text).form_with("credential")
    await press("loginname-submit", {"loginname": "ada"})

    assert form is not None
    assert (api.answers[0].login_name, api.answers[0].credential) == ("ada", "")
