"""The page of a directory: login name and password, without a script."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping

import httpx
import pytest
from portico_contracts.login import Problem, Step, StepName
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi

PAGE = f"/ui/login?request={REQUEST}"
Press = Callable[[str, Mapping[str, str]], Awaitable[httpx.Response]]

STEP = Step(name=StepName.DIRECTORY, csrf="c", external_name="Staff <b>", client_name="Shop")


async def test_both_are_sent_as_they_are(api: FakeLoginApi, press: Press) -> None:
    """The password with its blanks; authz decides about the name."""
    api.step = STEP
    await press("directory-submit", {"directory-loginname": "ada", "password": " right "})
    [answer] = api.answers

    assert (answer.step, answer.login_name, answer.password) == (StepName.DIRECTORY, "ada", " right ")


@pytest.mark.parametrize("entered", [{"directory-loginname": "ada"}, {"password": "x"}, {"directory-loginname": " "}])
async def test_nothing_is_sent_without_both(api: FakeLoginApi, press: Press, entered: dict[str, str]) -> None:
    """An empty password is none (RFC 4513 §5.1.2)."""
    api.step = STEP
    await press("directory-submit", entered)

    assert api.answers == []


async def test_the_page_names_the_directory(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    """Escaped; the title has no markup, and nothing on it is about an account that is linked."""
    api.step = STEP
    page = (await browser.get(PAGE)).text

    assert "<bdi>Staff &lt;b&gt;</bdi>" in page
    assert re.findall(r"<title>\s*(.*?)\s*</title>", page, re.DOTALL) == ["Sign in · Shop"]
    assert "external-link" not in page
    assert re.findall(r'id="([a-z-]+)"[^>]* autofocus', page) == ["directory-loginname"]


async def test_a_refusal_keeps_the_name_and_no_password(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    """The same sentence for a wrong password and an unknown name (LG-01)."""
    api.step = Step(
        name=StepName.DIRECTORY,
        csrf="c",
        external_name="Staff",
        login_name="ada",
        problem=Problem.WRONG_CREDENTIALS,
    )
    page = (await browser.get(PAGE)).text

    assert "The login name or password is wrong. Please try again." in page
    assert re.findall(r'id="([a-z-]+)"[^>]* autofocus', page) == ["password"]
    assert 'value="ada"' in page
