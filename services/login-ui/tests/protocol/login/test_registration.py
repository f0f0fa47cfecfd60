from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.login import Problem, Step
from portico_contracts.login_steps.register import Registration
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import moved, step_of
from portico_harness.html_forms import Document
from portico_harness.rows import row

PAGE = f"/ui/login?request={REQUEST}"
TYPED = {
    "register-email": " ada@example.com ",
    "register-firstname": "Ada",
    "register-lastname": "Lovelace",
    "register-password": " four words are long ",
}
VERIFY = step_of(StepName.VERIFY_EMAIL, csrf="c", mail="ada@example.com")

Press = Callable[[str, Mapping[str, str]], Awaitable[httpx.Response]]


@pytest.fixture
def registering(api: FakeLoginApi) -> None:
    api.step = moved(api.step, StepName.REGISTER)


@pytest.fixture
def verifying(api: FakeLoginApi) -> None:
    """Sets the next step to the verification of an emailed code."""
    api.step = moved(api.step, StepName.VERIFY_EMAIL, mail="ada@example.com")


def refused(detail: str) -> Step:
    """Returns the registration step with an error."""
    return step_of(StepName.REGISTER, csrf="c", problem=Problem.INVALID_FIELD, detail=detail)


@pytest.mark.parametrize("offered", [True, False])
async def test_registration_is_offered_where_allowed(
    browser: httpx.AsyncClient, api: FakeLoginApi, *, offered: bool
) -> None:
    api.step = replace(api.step, may_register=offered)

    assert ("register-start" in Document((await browser.get(PAGE)).text).ids) is offered


async def test_register_button_needs_no_login_name(api: FakeLoginApi, press: Press, following: list[Step]) -> None:
    api.step = replace(api.step, may_register=True)
    following.append(step_of(StepName.REGISTER))
    answer = await press("register-start", {"loginname": "half-typed"})

    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    assert (api.answers[0].register, api.answers[0].login_name) == (True, "")


@pytest.mark.usefixtures("registering")
async def test_registration_is_submitted(api: FakeLoginApi, press: Press, following: list[Step]) -> None:
    """The password is sent unchanged, and other fields without surrounding whitespace."""
    following.append(VERIFY)
    answer = await press("register-submit", TYPED)

    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    assert api.answers[0].registration == Registration(
        email="ada@example.com", first_name="Ada", last_name="Lovelace", password=" four words are long "
    )


@pytest.mark.usefixtures("registering")
async def test_password_manager_learns_the_new_account(browser: httpx.AsyncClient) -> None:
    """The address is the username, and the password has the token for a new one."""
    text = (await browser.get(PAGE)).text

    assert 'autocomplete="username"' in text
    assert 'autocomplete="new-password"' in text


@pytest.mark.usefixtures("registering")
async def test_refused_registration_keeps_the_input(press: Press, following: list[Step]) -> None:
    """The form is filled in again except for the password."""
    following.append(refused("USER-002"))
    answer = await press("register-submit", TYPED)
    form = Document(answer.text).form_with("register-submit")

    assert answer.status_code == 200
    assert form is not None
    values = {control.id: control.value for control in form.fields}
    assert (values["register-email"], values["register-firstname"]) == ("ada@example.com", "Ada")
    assert "four words" not in answer.text


FIELDS: list[tuple[str, str, str]] = [
    ("USER-005", "register-email", "an email address such as"),
    ("USER-011", "register-email", "already in use"),
    ("USER-030", "register-password", "too short"),
    ("USER-031", "register-password", "cannot be used"),
    ("USER-032", "register-password", "contains your login name"),
    ("USER-035", "register-password", "most common"),
]


@pytest.mark.usefixtures("registering")
async def test_error_is_tied_to_its_field(press: Press, following: list[Step]) -> None:
    """The sentence is the field's accessible description, and the field has the focus."""
    for detail, field, words in FIELDS:
        with row(detail, field, words):
            following.append(refused(detail))
            text = (await press("register-submit", TYPED)).text
            control = text[text.index(f'id="{field}"') :].split(">", 1)[0]

            assert words in text
            assert text.count('aria-invalid="true"') == 1
            assert 'aria-invalid="true"' in control
            assert 'aria-describedby="login-problem"' in control
            assert " autofocus" in control


@pytest.mark.parametrize(
    ("detail", "words"),
    [("LOGIN-006", "fill in every field except the last name"), ("USER-999", "check what you entered")],
)
@pytest.mark.usefixtures("registering")
async def test_unknown_error_of_the_form_has_a_sentence(
    press: Press, following: list[Step], detail: str, words: str
) -> None:
    following.append(refused(detail))
    text = (await press("register-submit", TYPED)).text

    assert words in text
    assert 'role="alert"' in text


@pytest.mark.usefixtures("registering")
async def test_incomplete_registration_is_validated_by_authz(api: FakeLoginApi, press: Press) -> None:
    """A form with one field is sent to authz, and an empty form is not."""
    await press("register-submit", {})
    assert api.answers == []
    await press("register-submit", {"register-email": "ada@example.com"})

    assert [answer.registration is not None for answer in api.answers] == [True]


@pytest.mark.parametrize("field", ["email", "first_name", "last_name", "password"])
@pytest.mark.usefixtures("registering")
async def test_overlong_field_is_refused_before_the_request(
    browser: httpx.AsyncClient, api: FakeLoginApi, field: str
) -> None:
    """A field of 201 code points is refused (LG-15)."""
    answer = await browser.post(PAGE, data={"csrf": "csrf-0", "step": "register", field: "𝕒" * 201})

    assert (answer.status_code, api.asked) == (400, [])


@pytest.mark.parametrize(("hint", "shown"), [("ada@example.com", "ada@example.com"), ("ada", "")])
@pytest.mark.usefixtures("registering")
async def test_hinted_email_address_is_prefilled(
    browser: httpx.AsyncClient, api: FakeLoginApi, hint: str, shown: str
) -> None:
    api.step = replace(api.step, login_name=hint)
    form = Document((await browser.get(PAGE)).text).form_with("register-email")

    assert form is not None
    assert form.filled("register-submit", {}).get("email") == shown


@pytest.mark.usefixtures("registering")
async def test_link_back_to_sign_in_sends_no_input(api: FakeLoginApi, press: Press) -> None:
    await press("login-restart", {})

    assert (api.answers[0].restart, api.answers[0].registration) == (True, None)


@pytest.mark.usefixtures("verifying")
async def test_whitespace_in_a_code_is_removed(api: FakeLoginApi, press: Press, following: list[Step]) -> None:
    following.append(step_of(StepName.DONE, continue_to=api.continue_to))
    answer = await press("mail-code-submit", {"mail-code": " ABC 123\t"})

    assert (answer.status_code, Document(answer.text).return_address) == (200, api.continue_to)
    assert api.answers[0].code == "ABC123"


@pytest.mark.usefixtures("verifying")
async def test_code_page_shows_the_address(browser: httpx.AsyncClient) -> None:
    """Phones offer the code from the email."""
    text = (await browser.get(PAGE)).text

    assert "ada<wbr>@example.com" in text
    assert 'autocomplete="one-time-code"' in text
    assert "mail-resent" not in text


@pytest.mark.usefixtures("verifying")
async def test_too_many_codes_show_the_delay(api: FakeLoginApi, press: Press, following: list[Step]) -> None:
    """The button needs no code, and a user who must wait reads that no new email was sent (LG-07)."""
    following.append(replace(VERIFY, problem=Problem.SLOW_DOWN, retry_after=45))
    answer = await press("mail-code-resend", {})

    assert (answer.status_code, api.answers[0].resend) == (200, True)
    assert "45 seconds" in answer.text
    assert "mail-resent" not in Document(answer.text).ids


@pytest.mark.usefixtures("verifying")
async def test_another_code_is_announced(browser: httpx.AsyncClient, press: Press, following: list[Step]) -> None:
    following.append(VERIFY)
    answer = await press("mail-code-resend", {})
    assert answer.status_code == 303

    assert "mail-resent" in Document((await browser.get(answer.headers["location"])).text).ids


@pytest.mark.usefixtures("verifying")
async def test_wrong_code_shows_the_page_again(press: Press, following: list[Step]) -> None:
    following.append(replace(VERIFY, problem=Problem.WRONG_CODE))
    answer = await press("mail-code-submit", {"mail-code": "WR0NG1"})

    assert answer.status_code == 200
    assert "The code is wrong" in answer.text
    assert 'aria-describedby="login-problem" aria-invalid="true"' in answer.text
    assert "WR0NG1" not in answer.text
