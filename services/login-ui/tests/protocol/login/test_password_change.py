from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.login import Problem, Step
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import moved, step_of
from portico_harness.html_forms import Document

PAGE = f"/ui/login?request={REQUEST}"
CHANGE = step_of(StepName.CHANGE_PASSWORD, csrf="c", login_name="ada@example.com")
TYPED = {"current-password": " old pa55 ", "new-password": " new pa55 "}

Press = Callable[[str, Mapping[str, str]], Awaitable[httpx.Response]]


@pytest.fixture(autouse=True)
def must_change(api: FakeLoginApi) -> None:
    api.step = moved(api.step, StepName.CHANGE_PASSWORD, login_name="ada@example.com")


async def test_both_passwords_are_sent_unchanged(api: FakeLoginApi, press: Press, following: list[Step]) -> None:
    """The current password is required (LG-24)."""
    following.append(step_of(StepName.DONE, continue_to=api.continue_to))
    answer = await press("change-password-submit", TYPED)

    assert (answer.status_code, Document(answer.text).return_address) == (200, api.continue_to)
    assert (api.answers[0].password, api.answers[0].new_password) == (" old pa55 ", " new pa55 ")


@pytest.mark.parametrize("missing", list(TYPED))
async def test_form_with_one_password_makes_no_request(api: FakeLoginApi, press: Press, missing: str) -> None:
    answer = await press("change-password-submit", {**TYPED, missing: ""})

    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    assert api.answers == []


@pytest.mark.parametrize(
    ("problem", "detail", "field", "words"),
    [
        (Problem.WRONG_CREDENTIALS, "", "current-password", "The current password is wrong"),
        (Problem.INVALID_PASSWORD, "USER-030", "new-password", "too short"),
        (Problem.INVALID_PASSWORD, "USER-035", "new-password", "most common"),
        (Problem.INVALID_PASSWORD, "USER-999", "new-password", "cannot be used"),
    ],
)
async def test_error_is_tied_to_its_field(
    press: Press, following: list[Step], problem: Problem, detail: str, field: str, words: str
) -> None:
    """The sentence states which password was wrong and why, and no password is returned."""
    following.append(replace(CHANGE, problem=problem, detail=detail))
    answer = await press("change-password-submit", TYPED)
    control = answer.text[answer.text.index(f'id="{field}"') :].split(">", 1)[0]

    assert answer.status_code == 200
    assert words in answer.text
    assert answer.text.count('aria-invalid="true"') == 1
    assert 'aria-describedby="login-problem" aria-invalid="true"' in control
    assert "pa55" not in answer.text


@pytest.mark.parametrize("field", ["password", "new_password"])
async def test_overlong_password_is_refused_before_the_request(
    browser: httpx.AsyncClient, api: FakeLoginApi, field: str
) -> None:
    """A password of 201 code points is refused (LG-15)."""
    answer = await browser.post(PAGE, data={"csrf": "csrf-0", "step": "change_password", field: "p" * 201})

    assert (answer.status_code, api.asked) == (400, [])


async def test_password_manager_can_distinguish_the_fields(browser: httpx.AsyncClient) -> None:
    text = (await browser.get(PAGE)).text
    places = [text.index(f'autocomplete="{word}"') for word in ("username", "current-password", "new-password")]

    assert places == sorted(places)
