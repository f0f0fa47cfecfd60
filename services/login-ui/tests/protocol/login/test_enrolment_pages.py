from __future__ import annotations

import re
from html import unescape
from typing import Any

import httpx
import pytest
import segno
from msgspec.structs import replace
from portico_contracts.login import Problem, Step
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import entered, moved
from portico_harness.html_forms import Document
from portico_web.key_script import key_script

PAGE = f"/ui/login?request={REQUEST}"
SECRET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
URI = f"otpauth://totp/Portico:ada%40example.com?secret={SECRET}&issuer=Portico&algorithm=SHA1&digits=6&period=30"
CODES = tuple(f"ABCD-EFGH-IJKL-MN{number:02}" for number in range(10))
APP: dict[str, Any] = {"name": StepName.ENROL_TOTP, "uri": URI, "secret": SECRET}


def at(api: FakeLoginApi, name: StepName, **fields: Any) -> None:
    api.step = moved(api.step, name, login_name="ada@example.com", **fields)


async def opened(browser: httpx.AsyncClient, path: str = PAGE) -> httpx.Response:
    response = await browser.get(path)
    assert response.status_code == 200, response.text
    return response


async def test_code_page_shows_a_masked_address(browser: httpx.AsyncClient, api: FakeLoginApi, press: Any) -> None:
    """The field accepts the emailed code with whitespace, and another code can be requested."""
    at(api, name=StepName.ENROL_EMAIL, mail="a\u2026@mail.test")
    page = Document((await opened(browser)).text)
    await press("otp-submit", {"otp": " 1234 5678 "})
    await press("otp-resend", {})

    assert {"enrol-mail-page", "mail-shown", "otp", "otp-submit", "otp-resend", "login-cancel"} <= page.ids
    assert [(one.step, one.code, one.resend) for one in api.answers] == [
        (StepName.ENROL_EMAIL, "12345678", False),
        (StepName.ENROL_EMAIL, "", True),
    ]


@pytest.mark.parametrize(("may_skip", "button"), [(True, "enrol-skip"), (False, "")])
async def test_passkey_of_a_new_account(
    browser: httpx.AsyncClient, api: FakeLoginApi, press: Any, may_skip: bool, button: str
) -> None:
    """It can wait where emailed codes are another way in; there is no other factor to choose."""
    at(api, name=StepName.ENROL_PASSKEY, options="{}", registering=True, may_skip=may_skip)
    page = Document((await opened(browser)).text)
    if button:
        await press(button, {})

    assert ("enrol-skip" in page.ids, "enrol-back" in page.ids) == (may_skip, False)
    assert [one.skip for one in api.answers] == [True] * may_skip


async def test_choice_has_a_button_for_each_accepted_factor(
    browser: httpx.AsyncClient, api: FakeLoginApi, press: Any
) -> None:
    """Another value in the form is refused."""
    offered = (StepName.ENROL_PASSKEY, StepName.ENROL_KEY, StepName.ENROL_TOTP)
    at(api, name=StepName.ENROL, others=offered)
    text = (await opened(browser)).text
    for button in ("enrol-passkey", "enrol-key", "enrol-totp"):
        await press(button, {})
        at(api, name=StepName.ENROL, others=offered)
    form = Document(text).form_with("enrol-totp")
    assert form is not None
    crafted = {**form.filled("enrol-totp", {}), "use": "totp"}
    ignored = await browser.post(form.action, data=crafted, headers={"Origin": "https://id.example"})

    assert [one.other for one in api.answers] == list(offered)
    assert ignored.status_code == 303


async def test_app_page_has_a_qr_code_and_the_secret(browser: httpx.AsyncClient, api: FakeLoginApi, press: Any) -> None:
    """The inline image is the QR code of the URI, with the secret below it and a link that opens the app (LG-19)."""
    at(api, **APP)
    response = await opened(browser)
    found = re.search(r'<img class="qr" id="totp-qr" src="([^"]+)" alt="[^"]+">', response.text)
    assert found is not None
    wanted = segno.make(URI, error="m", micro=False).svg_data_uri(scale=5, border=4, dark="#000", light="#fff")
    typed = re.search(r'id="totp-secret"[^>]*>([^<]+)<', response.text)
    await press("otp-submit", {"otp": "123 456"})
    await press("enrol-back", {})

    assert unescape(found[1]) == wanted
    assert typed is not None
    assert typed[1].replace(" ", "") == SECRET
    assert Document(response.text).links["totp-open"] == URI
    assert "script-src https://id.example/ui/login/static/pages.js;" in response.headers["content-security-policy"]
    assert "img-src 'self' data:" in response.headers["content-security-policy"]
    assert response.headers["cache-control"] == "no-store"
    assert [(one.code, one.other) for one in api.answers] == [("123456", None), ("", StepName.ENROL)]


async def test_app_page_without_the_secret_has_only_the_field(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    at(api, name=StepName.ENROL_TOTP, problem=Problem.WRONG_CODE)
    page = Document((await opened(browser)).text)

    assert {"otp", "login-problem"} <= page.ids
    assert not {"totp-qr", "totp-secret"} & page.ids


async def test_wrong_code_shows_the_same_secret_again(
    browser: httpx.AsyncClient, api: FakeLoginApi, following: list[Step], press: Any
) -> None:
    at(api, **APP)
    following.append(replace(api.step, problem=Problem.WRONG_CODE))
    answered = await press("otp-submit", {"otp": "000000"})

    assert answered.status_code == 200
    assert {"totp-qr", "totp-secret", "login-problem"} <= Document(answered.text).ids


@pytest.mark.parametrize("step", [StepName.ENROL_PASSKEY, StepName.ENROL_KEY])
async def test_security_key_page_has_challenge_and_script(
    browser: httpx.AsyncClient, api: FakeLoginApi, press: Any, step: StepName
) -> None:
    """The script creates a credential from the options, and another method can be chosen without it."""
    at(api, name=step, options='{"publicKey": {"challenge": "c"}}')
    response = await opened(browser)
    await press("webauthn-start", {"credential": '{"id": "k"}'})
    await press("enrol-back", {})

    assert 'data-use="create" data-options="{&#34;publicKey&#34;' in response.text
    assert {"credential", "webauthn-script", "webauthn-missing", "webauthn-failed"} <= Document(response.text).ids
    assert f"script-src https://id.example{key_script().path};" in response.headers["content-security-policy"]
    assert [(one.credential, one.other) for one in api.answers] == [('{"id": "k"}', None), ("", StepName.ENROL)]


async def test_recovery_codes_are_listed_once_with_a_button(
    browser: httpx.AsyncClient, api: FakeLoginApi, press: Any
) -> None:
    at(api, name=StepName.RECOVERY_CODES, recovery_codes=CODES)
    text = (await opened(browser)).text
    await press("recovery-codes-submit", {})

    assert re.findall(r"<li>([A-Z0-9-]+)</li>", text) == list(CODES)
    assert [(one.step, entered(one)) for one in api.answers] == [(StepName.RECOVERY_CODES, {})]


async def test_missing_recovery_codes_are_explained(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    at(api, name=StepName.RECOVERY_CODES)
    page = Document((await opened(browser)).text)

    assert "recovery-codes" not in page.ids
    assert "recovery-codes-submit" in page.ids


@pytest.mark.parametrize("step", [step for step in StepName if "enrol" in step or step is StepName.RECOVERY_CODES])
async def test_every_page_can_be_cancelled(
    browser: httpx.AsyncClient, api: FakeLoginApi, press: Any, step: StepName
) -> None:
    """Each page has a button that returns to the application (decision 0046)."""
    at(api, name=step, others=(StepName.ENROL_TOTP,), uri=URI, secret=SECRET)
    await press("login-cancel", {})

    assert [(one.step, one.cancel) for one in api.answers] == [(step, True)]
