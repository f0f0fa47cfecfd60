from __future__ import annotations

import re

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.login import Account
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import REQUEST, RIGHT, FakeLoginApi
from portico_fakes.login_messages import moved
from portico_harness.html_forms import Document
from portico_harness.rows import row
from portico_login_ui.scripts import page_script
from portico_login_ui.steps import METHODS
from portico_web.cookies import BrowserCookie
from portico_web.key_script import key_script
from portico_web.stylesheet import stylesheet

ISSUER = "https://id.example"
KEYS = {StepName.PASSKEY, StepName.SECURITY_KEY, StepName.ENROL_PASSKEY, StepName.ENROL_KEY}
WITHOUT_FIELDS = {
    *(StepName.SELECT_ACCOUNT, StepName.FACTOR_MISSING, StepName.EXTERNAL_NO_ACCOUNT),
    *(StepName.ENROL, StepName.RECOVERY_CODES, StepName.CONSENT),
}
PAGE = f"/ui/login?request={REQUEST}"
COOKIE = BrowserCookie(ISSUER)


async def press(browser: httpx.AsyncClient, button: str, **typed: str) -> httpx.Response:
    form = Document((await browser.get(PAGE)).text).form_with(button)
    assert form is not None, f"no {button} on the page"
    return await browser.post(form.action, data=form.filled(button, typed), headers={"Origin": ISSUER})


def at_password(api: FakeLoginApi) -> None:
    api.step = moved(api.step, StepName.PASSWORD, login_name="ada@example.com")


async def test_first_page_has_its_element_ids(browser: httpx.AsyncClient) -> None:
    ids = Document((await browser.get(PAGE)).text).ids

    assert {"loginname", "loginname-submit", "login-cancel"} <= ids
    assert not {"password", "password-submit", "login-restart", "error-page"} & ids


async def test_password_page_has_its_element_ids(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    at_password(api)
    ids = Document((await browser.get(PAGE)).text).ids

    assert {"password", "password-submit", "login-cancel", "login-restart"} <= ids
    assert not {"loginname", "loginname-submit"} & ids


async def test_password_form_has_a_username_field(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The username field precedes the password and is not submitted."""
    at_password(api)
    text = (await browser.get(PAGE)).text
    form = Document(text).form_with("password")

    assert form is not None
    assert ("text", "", "ada@example.com") in [(control.kind, control.name, control.value) for control in form.fields]
    assert text.index('autocomplete="username"') < text.index('autocomplete="current-password"')


async def test_enter_presses_the_submit_button(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The first submit button of a form is never cancel or restart."""
    at_password(api)
    form = Document((await browser.get(PAGE)).text).form_with("password")

    assert form is not None
    assert next(control.id for control in form.fields if control.kind == "submit") == "password-submit"


async def test_login_name_is_answered_with_the_page_of_the_password(
    browser: httpx.AsyncClient, api: FakeLoginApi
) -> None:
    """One request for both: the form of that page, at the same address, has a fresh token (LG-14, decision 0018)."""
    answer = await press(browser, "loginname-submit", loginname=" \u200b ada@example.com\ufeff")
    form = Document(answer.text).form_with("password-submit")

    assert (answer.status_code, len(api.asked)) == (200, 2)
    assert api.answers[-1].login_name == "ada@example.com"
    assert form is not None
    assert form.action == PAGE
    done = await browser.post(form.action, data=form.filled("password-submit", {"password": RIGHT}))
    assert Document(done.text).return_address == api.continue_to


async def test_other_forms_redirect_to_the_page_by_get(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The response to a form is a 303, so that reloading repeats nothing (AZ-16)."""
    at_password(api)
    answer = await press(browser, "login-restart")

    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)


async def test_right_password_leads_to_the_application(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The pages request the response itself, and accept it for the redirect URI that authz verified."""
    at_password(api)
    api.continue_to = f"{api.step.return_uri}?code=7fCode&state=a%26b"
    answer = await press(browser, "password-submit", password=RIGHT)

    assert api.answers[-1].to_application
    assert (answer.status_code, Document(answer.text).return_address) == (200, api.continue_to)


async def test_right_password_continues_at_authz(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """A completed sign-in is redirected by a page to authz, with the new handle (AZ-16, LG-11)."""
    at_password(api)
    api.set_cookie = COOKIE.set("7fANewHandleAfterTheLogin0000000")
    answer = await press(browser, "password-submit", password=RIGHT)

    assert (answer.status_code, Document(answer.text).return_address) == (200, api.continue_to)
    assert answer.headers.get_list("set-cookie") == [api.set_cookie]


async def test_password_is_sent_unchanged(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    at_password(api)
    await press(browser, "password-submit", password="  pässwörd ☂ & = + %41 ")

    assert api.answers[-1].password == "  pässwörd ☂ & = + %41 "


async def test_wrong_password_shows_the_page_again(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The status is 200 with an alert tied to the field, and only the name is filled in."""
    at_password(api)
    answer = await press(browser, "password-submit", password="wrong-pa55")

    assert answer.status_code == 200
    assert {"password", "login-problem"} <= Document(answer.text).ids
    assert 'role="alert"' in answer.text
    assert 'aria-describedby="login-problem"' in answer.text
    assert "wrong-pa55" not in answer.text


async def test_form_after_a_wrong_password_has_a_fresh_token(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The page that reports a wrong password has a valid token (LG-14)."""
    at_password(api)
    again = Document((await press(browser, "password-submit", password="wrong")).text).form_with("password-submit")
    assert again is not None
    answer = await browser.post(again.action, data=again.filled("password-submit", {"password": RIGHT}))

    assert Document(answer.text).return_address == api.continue_to


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "wait a moment"), (1, "wait a moment"), (45, "45 seconds"), (400, "7 minutes")]
)
async def test_too_many_attempts_show_the_delay(
    browser: httpx.AsyncClient, api: FakeLoginApi, seconds: int, words: str
) -> None:
    at_password(api)
    api.step = replace(api.step, retry_after=seconds)
    api.slow_down = True
    answer = await press(browser, "password-submit", password="wrong")

    assert answer.status_code == 200
    assert f"Too many attempts. Please {'' if 'wait' in words else 'wait '}{words}" in " ".join(answer.text.split())


async def test_cancel_submits_no_input(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    at_password(api)
    answer = await press(browser, "login-cancel", password="half-typed")

    assert (answer.status_code, Document(answer.text).return_address) == (200, api.continue_to)
    assert (api.answers[-1].cancel, api.answers[-1].password) == (True, "")


async def test_another_account_restarts_the_sign_in(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    at_password(api)
    await press(browser, "login-restart")

    assert api.answers[-1].restart
    assert "loginname" in Document((await browser.get(PAGE)).text).ids


async def test_empty_password_makes_no_request(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    at_password(api)
    answer = await press(browser, "password-submit", password="")

    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    assert api.answers == []


async def test_hinted_login_name_is_prefilled(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    api.step = replace(api.step, login_name="ada@example.com")
    form = Document((await browser.get(PAGE)).text).form_with("loginname")

    assert form is not None
    assert form.filled("loginname-submit", {})["login_name"] == "ada@example.com"


async def test_completed_sign_in_continues_by_get(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    api.step = moved(api.step, StepName.DONE, continue_to=api.continue_to)
    answer = await browser.get(PAGE)

    assert (answer.status_code, Document(answer.text).return_address) == (200, api.continue_to)


TITLES = {
    StepName.SELECT_ACCOUNT: "Choose an account",
    StepName.REGISTER: "Create an account",
    StepName.PASSKEY: "Sign in with your passkey",
    StepName.LOGIN_NAME: "Sign in",
    StepName.PASSWORD: "Enter your password",
    StepName.SECURITY_KEY: "Use your security key or passkey",
    StepName.TOTP: "Enter the code from your authenticator app",
    StepName.OTP_EMAIL: "Enter the code from the email",
    StepName.OTP_SMS: "Enter the code from the text message",
    StepName.RECOVERY_CODE: "Enter a recovery code",
    StepName.FACTOR_MISSING: "Second factor required",
    StepName.ENROL_EMAIL: "Second factor required",
    StepName.ENROL: "Set up a second factor",
    StepName.ENROL_PASSKEY: "Register a passkey",
    StepName.ENROL_KEY: "Register a security key",
    StepName.ENROL_TOTP: "Set up an authenticator app",
    StepName.RECOVERY_CODES: "Your recovery codes",
    StepName.VERIFY_EMAIL: "Confirm your email address",
    StepName.CHANGE_PASSWORD: "Choose a new password",
}


async def test_every_step_has_its_own_title(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The title names the step and the application for tabs, history and screen readers."""
    for name, title in TITLES.items():
        with row(name, title):
            api.step = moved(api.step, name, mail="ada@example.com")
            found = re.search(r"<title>(.*?)</title>", (await browser.get(PAGE)).text, re.DOTALL)

            assert found is not None
            assert found[1].strip() == f"{title} · Demo"


@pytest.mark.parametrize("name", [StepName.LOGIN_NAME, StepName.PASSWORD])
async def test_passkey_is_the_second_button(browser: httpx.AsyncClient, api: FakeLoginApi, name: StepName) -> None:
    api.step = moved(api.step, name, login_name="ada", may_use_passkey=True, may_reset=True)
    text = (await browser.get(PAGE)).text
    buttons = re.findall(r'<(?:button|a) class="([^"]+)" id="([^"]+)"', text[text.index('class="actions"') :])

    assert [kind for kind, _ in buttons[:2]] == ["button", "button second"]
    assert buttons[1][1] == "passkey-start"


async def test_nameless_application_is_not_mentioned(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    api.step = replace(api.step, client_name="")
    text = (await browser.get(PAGE)).text

    assert "to continue to" not in text
    assert "".join(text.partition("<title>")[2].partition("</title>")[0].split()) == "Signin"


async def test_page_is_small_and_runs_no_foreign_script(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """Page and stylesheet together stay under 30 kB."""
    for name in METHODS:
        with row(name):
            account = Account(id="i" * 22, login_name="a" * 200, display_name="d" * 200)
            long = {"login_name": "a" * 200, "client_name": "c" * 200, "mail": "m" * 200, "accounts": (account,) * 10}
            api.step = moved(api.step, name, **long)
            text = (await browser.get(PAGE, headers={"Accept-Language": "ar"})).text

            scripts = key_script().content + page_script().content
            assert len(text.encode()) + len(stylesheet().content) + len(scripts) <= 30_000
            for script in (key_script(), page_script()):
                text = text.replace(f'<script src="{script.address}" defer></script>', "", 1)
            assert not re.search(r"<script|\son\w+=|javascript:|\sstyle=", text, re.IGNORECASE)


async def test_fields_have_labels_and_the_first_has_the_focus(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    for name in sorted(set(METHODS) - KEYS - WITHOUT_FIELDS):
        with row(name):
            api.step = moved(api.step, name, mail="ada@example.com")
            text = (await browser.get(PAGE)).text
            fields = [field for field in re.findall(r"<input[^>]*>", text) if "hidden" not in field]
            labels = set(re.findall(r'<label for="([^"]+)">', text))

            assert {found[1] for field in fields if (found := re.search(r'id="([^"]+)"', field))} == labels
            # A person may have one name.
            assert all(" required" in field or 'name="last_name"' in field for field in fields)
            assert [" autofocus" in field for field in fields] == [True] + [False] * (len(fields) - 1)


async def test_every_page_can_be_cancelled(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The element `login-cancel` is on every page before the redirect and is never the button that Enter presses."""
    for name in METHODS:
        with row(name):
            others = (StepName.ENROL_TOTP,) if name is StepName.ENROL else ()
            accounts = (Account(id="a", login_name="ada"),)
            api.step = moved(api.step, name, mail="ada@example.com", accounts=accounts, others=others)
            form = Document((await browser.get(PAGE)).text).form_with("login-cancel")

            assert form is not None
            assert next(control.id for control in form.fields if control.kind == "submit") != "login-cancel"


async def test_head_is_get_without_body(browser: httpx.AsyncClient) -> None:
    """HEAD has the status of GET and no body (RFC 9110 §9.3.2), and does not ask authz for the step."""
    assert (await browser.head(PAGE)).status_code == 200
