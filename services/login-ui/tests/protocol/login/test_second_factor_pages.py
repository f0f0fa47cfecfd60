from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping

import httpx
import pytest
from portico_contracts.login import Problem, Step
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import entered, moved
from portico_harness.html_forms import Document
from portico_harness.rows import row
from portico_login_ui.scripts import page_script
from portico_web.key_script import key_script

PAGE = f"/ui/login?request={REQUEST}"
ISSUER = "https://id.example"
OPTIONS = json.dumps({"publicKey": {"challenge": "AAAA", "rpId": "<id>\"'&.example"}})
FACTORS = (StepName.SECURITY_KEY, StepName.TOTP, StepName.OTP_EMAIL, StepName.OTP_SMS, StepName.RECOVERY_CODE)
CODES = (StepName.TOTP, StepName.OTP_EMAIL, StepName.OTP_SMS, StepName.RECOVERY_CODE)
KEYS = (StepName.SECURITY_KEY, StepName.PASSKEY)

Press = Callable[[str, Mapping[str, str]], Awaitable[httpx.Response]]


def at(api: FakeLoginApi, name: StepName, **fields: object) -> None:
    api.step = moved(api.step, name, login_name="ada", **fields)


@pytest.mark.parametrize("name", CODES)
async def test_code_is_sent_as_its_digits(api: FakeLoginApi, press: Press, name: StepName) -> None:
    """Whitespace, separators and digits of other scripts are normalized."""
    at(api, name)
    await press("otp-submit", {"otp": " 123-\uff14\uff15\u0666 "})

    [answer] = api.answers
    assert (answer.step, answer.code, answer.other) == (name, "123456", None)


@pytest.mark.parametrize("name", CODES)
async def test_empty_code_makes_no_request(api: FakeLoginApi, press: Press, name: StepName) -> None:
    at(api, name)
    answer = await press("otp-submit", {"otp": "  "})

    assert (answer.status_code, api.answers) == (303, [])


@pytest.mark.parametrize("emailed", [True, False])
async def test_missing_factor_is_explained(browser: httpx.AsyncClient, api: FakeLoginApi, emailed: bool) -> None:
    """After an emailed code the account may have email as a factor, which is no second one then."""
    at(api, StepName.FACTOR_MISSING, emailed=emailed)
    page = (await browser.get(PAGE)).text

    assert ("code by email" in page, "does not have one" in page) == (emailed, not emailed)


async def test_browser_can_be_trusted_where_the_policy_allows(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    for name in FACTORS:
        with row(name):
            for days in (0, 30):
                at(api, name, trust_days=days, options=OPTIONS)
                page = (await browser.get(PAGE)).text
                assert ('id="trust"' in page, "for 30 days" in page) == (days > 0, days > 0)


@pytest.mark.parametrize("sent", [{"trust": "1"}, {}])
async def test_trust_is_sent_with_the_code(api: FakeLoginApi, press: Press, sent: dict[str, str]) -> None:
    """After a wrong code the checkbox is as the user left it."""
    at(api, StepName.TOTP, trust_days=30, problem=Problem.WRONG_CODE)
    again = await press("otp-submit", {"otp": "123456", **sent})

    assert [answer.trust for answer in api.answers] == [bool(sent)]
    assert ("checked" in again.text) == bool(sent)


@pytest.mark.parametrize("name", FACTORS)
async def test_other_factors_have_buttons(api: FakeLoginApi, press: Press, name: StepName) -> None:
    """The buttons are those of authz's response and submit no input."""
    others = tuple(step for step in FACTORS if step is not name)
    for other in others:
        at(api, name, others=others)
        await press(f"factor-{other.replace('_', '-')}", {"otp": "123456"} if name in CODES else {})

    assert [answer.other for answer in api.answers] == list(others)
    assert not any({"code", "credential"} & entered(answer).keys() for answer in api.answers)


async def test_single_factor_has_no_other_buttons(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    for name in FACTORS:
        with row(name):
            at(api, name)
            ids = Document((await browser.get(PAGE)).text).ids

            assert not any(id.startswith("factor-") for id in ids)
            assert "passkey-start" not in ids


@pytest.mark.parametrize("use", ["password", "done", "passkey", "", "x" * 300])
async def test_unknown_factor_makes_no_request(api: FakeLoginApi, browser: httpx.AsyncClient, use: str) -> None:
    at(api, StepName.TOTP)
    form = {"csrf": "csrf-0", "step": "totp", "use": use}
    answer = await browser.post(PAGE, data=form, headers={"Origin": ISSUER})

    assert (answer.status_code, api.answers) == (303, [])


async def test_another_code_is_requested(api: FakeLoginApi, press: Press, following: list[Step]) -> None:
    at(api, StepName.OTP_EMAIL, mail="a\u2026@mail.test")
    following.append(api.step)
    answer = await press("otp-resend", {})

    assert api.answers[0].resend
    assert answer.headers["location"] == f"{PAGE}&resent=1"


async def test_unsent_code_shows_no_address(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """If no code could be sent, the page names the alternatives."""
    at(api, StepName.OTP_EMAIL, problem=Problem.NOT_SENT)
    text = (await browser.get(PAGE)).text

    assert "mail-shown" not in Document(text).ids
    assert "The code could not be sent." in text


WRONG = {
    StepName.TOTP: "Each code works once, while it is shown.",
    StepName.RECOVERY_CODE: "This recovery code is wrong",
    StepName.OTP_EMAIL: "The code is wrong or has expired.",
    StepName.OTP_SMS: "The code is wrong or has expired.",
    StepName.SECURITY_KEY: "The passkey or security key was not accepted.",
    StepName.PASSKEY: "The passkey or security key was not accepted.",
}


async def test_each_page_explains_its_error(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    for name, words in WRONG.items():
        with row(name):
            at(api, name, problem=Problem.WRONG_KEY if name in KEYS else Problem.WRONG_CODE)
            text = (await browser.get(PAGE)).text

            assert words in " ".join(text.split())
            assert 'id="login-problem" role="alert"' in text


async def test_webauthn_pages_may_run_one_script(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """Nothing is inline, and without the script the button is disabled and a sentence explains why (AZ-08)."""
    for name in KEYS:
        with row(name):
            at(api, name, options=OPTIONS)
            page = await browser.get(PAGE)
            policy = dict(
                part.strip().partition(" ")[::2] for part in page.headers["content-security-policy"].split(";")
            )

            assert policy["script-src"] == f"{ISSUER}/ui/login/static/webauthn.js"
            assert policy["default-src"] == "'none'"
            assert page.text.count("<script") == 1
            assert f'<script src="{key_script().address}" defer></script>' in page.text
            assert "disabled>" in page.text[page.text.index('id="webauthn-start"') :].split("</button>")[0]
            assert "<noscript>" in page.text
            assert '<id>"' not in page.text


NEW_KEYS = (StepName.ENROL_PASSKEY, StepName.ENROL_KEY)
PASSWORDS = (StepName.PASSWORD, StepName.LDAP, StepName.CHANGE_PASSWORD, StepName.REGISTER)


WITH_SCRIPTS = {*KEYS, *NEW_KEYS, *PASSWORDS, StepName.ENROL_TOTP, StepName.RECOVERY_CODES}


async def test_other_pages_may_run_no_script(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """A page without WebAuthn has no script even if authz sends options by mistake (AZ-08)."""
    for name in sorted(set(StepName) - {*WITH_SCRIPTS, StepName.DONE}):
        with row(name):
            at(api, name, options=OPTIONS)
            page = await browser.get(PAGE)

            assert "script-src" not in page.headers["content-security-policy"]
            assert "<script" not in page.text


async def test_password_pages_may_run_one_script(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The policy allows only the script that shows a password (AZ-08)."""
    for name in PASSWORDS:
        with row(name):
            at(api, name)
            page = await browser.get(PAGE)
            script = page_script()

            assert f"script-src {ISSUER}{script.path};" in page.headers["content-security-policy"]
            assert re.findall(r"<script.*?>", page.text) == [f'<script src="{script.address}" defer>']
            assert (await browser.get(script.address)).content == script.content


@pytest.mark.parametrize("name", KEYS)
async def test_webauthn_response_is_sent_unchanged(api: FakeLoginApi, press: Press, name: StepName) -> None:
    at(api, name, options=OPTIONS)
    await press("webauthn-start", {"credential": '{"id": "\u00e4"}'})

    [answer] = api.answers
    assert (answer.step, answer.credential) == (name, '{"id": "\u00e4"}')


@pytest.mark.parametrize(("length", "status"), [(0, 303), (8_192, 303), (8_193, 400)])
async def test_webauthn_response_has_a_size_limit(
    api: FakeLoginApi, browser: httpx.AsyncClient, following: list[Step], length: int, status: int
) -> None:
    """An oversized response is refused before authz is called, and an empty form counts as no attempt (RX-05)."""
    at(api, StepName.PASSKEY)
    following.append(api.step)
    form = {"csrf": "csrf-0", "step": "passkey", "credential": "x" * length}
    answer = await browser.post(PAGE, data=form, headers={"Origin": ISSUER})

    assert (answer.status_code, len(api.answers)) == (status, int(length == 8_192))


@pytest.mark.parametrize("name", [StepName.LOGIN_NAME, StepName.PASSWORD])
async def test_passkey_can_be_used_instead(api: FakeLoginApi, press: Press, name: StepName) -> None:
    at(api, name, may_use_passkey=True)
    await press("passkey-start", {"loginname": "ada"} if name is StepName.LOGIN_NAME else {"password": "half"})

    [answer] = api.answers
    assert entered(answer) == {"passkey": True}


@pytest.mark.parametrize("name", [StepName.LOGIN_NAME, StepName.PASSWORD])
async def test_without_passkeys_there_is_no_button(
    api: FakeLoginApi, browser: httpx.AsyncClient, name: StepName
) -> None:
    at(api, name)

    assert "passkey-start" not in Document((await browser.get(PAGE)).text).ids


async def test_script_is_cached_by_version(browser: httpx.AsyncClient) -> None:
    """The current version is cached forever and others briefly, and the script contains no foreign origin."""
    script = key_script()
    kept = await browser.get(script.address)
    briefly = await browser.get(script.path)
    known = await browser.get(script.address, headers={"If-None-Match": kept.headers["etag"]})

    assert kept.headers["content-type"].startswith("text/javascript")
    assert kept.headers["x-content-type-options"] == "nosniff"
    assert "immutable" in kept.headers["cache-control"]
    assert "must-revalidate" in briefly.headers["cache-control"]
    assert known.status_code == 304
    assert hashlib.sha256(kept.content).hexdigest().startswith(script.version)
    assert "://" not in kept.text


async def test_recovery_codes_may_run_one_script(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The policy allows only the script that copies and prints; the file needs none (AZ-08)."""
    at(api, StepName.RECOVERY_CODES, recovery_codes=("ABCD", "EFGH"))
    page = await browser.get(PAGE)

    assert f"script-src {ISSUER}/ui/login/static/pages.js;" in page.headers["content-security-policy"]
    assert page.text.count("<script") == 1
    assert 'download="recovery-codes.txt" href="data:text/plain;charset=utf-8,ABCD%0AEFGH%0A"' in page.text
