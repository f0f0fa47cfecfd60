from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import httpx
import pytest
from portico_contracts.login import Account, Step
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import moved, step_of
from portico_harness.html_forms import Document

PAGE = f"/ui/login?request={REQUEST}"
ACCOUNTS = (
    Account(id="ada-1", login_name="ada@example.com", display_name="Ada Lovelace", signed_in=True),
    Account(id="grace-2", login_name="grace@example.com"),
)

Press = Callable[[str, Mapping[str, str]], Awaitable[httpx.Response]]


@pytest.fixture(autouse=True)
def two_accounts(api: FakeLoginApi) -> None:
    api.step = moved(api.step, StepName.SELECT_ACCOUNT, accounts=ACCOUNTS)


async def test_every_account_has_its_button(browser: httpx.AsyncClient) -> None:
    """The element ids count from 1 in authz's order, before another account and cancel."""
    form = Document((await browser.get(PAGE)).text).form_with("account-other")

    assert form is not None
    buttons = [control.id for control in form.fields if control.kind == "submit"]
    assert buttons == ["account-1", "account-2", "account-other", "login-cancel"]


async def test_account_that_needs_its_password_is_marked(browser: httpx.AsyncClient) -> None:
    first, second = (await browser.get(PAGE)).text.split('id="account-2"')

    assert "Password required" not in first
    assert "Password required" in second


@pytest.mark.parametrize(("button", "id"), [("account-1", "ada-1"), ("account-2", "grace-2")])
async def test_chosen_account_is_submitted(
    api: FakeLoginApi, press: Press, following: list[Step], button: str, id: str
) -> None:
    """One button submits the account, and the response is a 303 (AZ-16)."""
    following.append(step_of(StepName.DONE, continue_to=api.continue_to))
    answer = await press(button, {})

    assert (answer.status_code, Document(answer.text).return_address) == (200, api.continue_to)
    assert [given.account for given in api.answers] == [id]


async def test_another_account_leads_to_the_login_name(api: FakeLoginApi, press: Press, following: list[Step]) -> None:
    following.append(step_of(StepName.LOGIN_NAME))
    answer = await press("account-other", {})

    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    assert (api.answers[0].step, api.answers[0].account) == (StepName.SELECT_ACCOUNT, "")


async def test_form_without_a_button_chooses_no_account(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    answer = await browser.post(PAGE, data={"csrf": "csrf-0", "step": "select_account"})

    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    assert api.answers == []


async def test_overlong_account_is_refused_before_the_request(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The length of an account id is limited (LG-15)."""
    answer = await browser.post(PAGE, data={"csrf": "csrf-0", "step": "select_account", "account": "a" * 201})

    assert answer.status_code == 400
    assert api.asked == []


async def test_account_without_a_name_shows_its_login_name(browser: httpx.AsyncClient) -> None:
    """The login name is shown once and may break before the @."""
    text = (await browser.get(PAGE)).text

    assert text.count("grace<wbr>@example.com") == 1
    assert "Ada Lovelace" in text
