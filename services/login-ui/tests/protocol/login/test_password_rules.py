"""Password rules on the pages where a password is chosen (LG-24)."""

from __future__ import annotations

import re

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.login import Problem, Step
from portico_contracts.step_names import StepName
from portico_contracts.users import PasswordRules
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import step_of

PAGE = f"/ui/login?request={REQUEST}"
ALL = PasswordRules(min_length=12, lowercase=True, uppercase=True, number=True, symbol=True)
STEPS = pytest.mark.parametrize(
    ("step", "field", "problem"),
    [
        (StepName.CHANGE_PASSWORD, "new-password", Problem.INVALID_PASSWORD),
        (StepName.REGISTER, "register-password", Problem.INVALID_FIELD),
    ],
)


async def shown(browser: httpx.AsyncClient, api: FakeLoginApi, step: Step, **headers: str) -> str:
    api.step = replace(step, client_name="Demo", return_uri="https://app.example/callback")
    return (await browser.get(PAGE, headers=headers)).text


def rules_in(text: str) -> list[str]:
    """Returns the password rules that a page lists."""
    _, _, after = text.partition('id="password-rules"')
    return re.findall(r"<li>(.*?)</li>", after.partition("</div>")[0])


def described_by(text: str, field: str) -> str:
    """Returns the accessible description of a field."""
    control = text[text.index(f'id="{field}"') :].split(">", 1)[0]
    found = re.search(r'aria-describedby="(.*?)"', control)
    return found[1] if found else ""


@STEPS
@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (PasswordRules(), ["at least 8 characters"]),
        (PasswordRules(min_length=9, uppercase=True), ["at least 9 characters", "an upper-case letter"]),
        (PasswordRules(lowercase=True), ["at least 8 characters", "a lower-case letter"]),
        (PasswordRules(number=True), ["at least 8 characters", "a digit"]),
        (PasswordRules(symbol=True), ["at least 8 characters", "a symbol"]),
        (None, []),
    ],
)
async def test_page_lists_the_rules_of_the_organization(
    browser: httpx.AsyncClient,
    api: FakeLoginApi,
    *,
    step: StepName,
    field: str,
    problem: Problem,
    rules: PasswordRules | None,
    words: list[str],
) -> None:
    """The rules are the field's accessible description, before any input and next to an error."""
    first = await shown(browser, api, step_of(step, password_rules=rules))
    again = await shown(browser, api, step_of(step, password_rules=rules, problem=problem, detail="USER-030"))

    assert rules_in(first) == rules_in(again) == words
    assert ("password-rules" in described_by(first, field)) is bool(rules)
    assert described_by(again, field) == ("login-problem password-rules" if rules else "login-problem")


@STEPS
@pytest.mark.parametrize(
    ("detail", "words"),
    [
        ("USER-614", "has no lower-case letter"),
        ("USER-615", "has no upper-case letter"),
        ("USER-616", "has no digit"),
        ("USER-617", "has no symbol"),
        ("USER-140", "known from a data breach"),
    ],
)
async def test_page_names_the_broken_rule(
    browser: httpx.AsyncClient,
    api: FakeLoginApi,
    *,
    step: StepName,
    field: str,
    problem: Problem,
    detail: str,
    words: str,
) -> None:
    text = await shown(browser, api, step_of(step, password_rules=ALL, problem=problem, detail=detail))
    control = text[text.index(f'id="{field}"') :].split(">", 1)[0]

    assert words in text
    assert 'aria-invalid="true"' in control
    assert len(rules_in(text)) == 5


async def test_rules_are_in_the_language_of_the_page(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """Numbers use the plural forms of the language."""
    step = step_of(StepName.CHANGE_PASSWORD, password_rules=ALL)
    few = replace(step, password_rules=PasswordRules(min_length=9))
    german = await shown(browser, api, step, **{"Accept-Language": "de"})
    arabic = await shown(browser, api, few, **{"Accept-Language": "ar"})

    assert rules_in(german)[:2] == ["mindestens 12 Zeichen", "einen Großbuchstaben"]
    assert rules_in(arabic) == ["9 أحرف على الأقل"]
