"""The sign-in page of an LDAP provider."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping

import httpx
import pytest
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import step_of

PAGE = f"/ui/login?request={REQUEST}"
Press = Callable[[str, Mapping[str, str]], Awaitable[httpx.Response]]

STEP = step_of(StepName.LDAP, csrf="c", external_name="Staff <b>", client_name="Shop")


async def test_login_name_and_password_are_sent_unchanged(api: FakeLoginApi, press: Press) -> None:
    api.step = STEP
    await press("directory-submit", {"directory-loginname": "ada", "password": " right "})
    [answer] = api.answers

    assert (answer.step, answer.login_name, answer.password) == (StepName.LDAP, "ada", " right ")


@pytest.mark.parametrize("entered", [{"directory-loginname": "ada"}, {"password": "x"}, {"directory-loginname": " "}])
async def test_nothing_is_sent_without_both_fields(api: FakeLoginApi, press: Press, entered: dict[str, str]) -> None:
    """An empty password is not sent (RFC 4513 §5.1.2)."""
    api.step = STEP
    await press("directory-submit", entered)

    assert api.answers == []


async def test_page_names_the_ldap_provider(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    """The name is escaped, the title has no markup, and no linked account is mentioned."""
    api.step = STEP
    page = (await browser.get(PAGE)).text

    assert "<bdi>Staff &lt;b&gt;</bdi>" in page
    assert re.findall(r"<title>\s*(.*?)\s*</title>", page, re.DOTALL) == ["Sign in · Shop"]
    assert "external-link" not in page
    assert re.findall(r'id="([a-z-]+)"[^>]* autofocus', page) == ["directory-loginname"]


async def test_refused_form_keeps_the_name_and_no_password(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    """A wrong password and an unknown name get the same sentence (LG-01)."""
    api.step = step_of(
        StepName.LDAP,
        csrf="c",
        external_name="Staff",
        login_name="ada",
        problem=Problem.WRONG_CREDENTIALS,
    )
    page = (await browser.get(PAGE)).text

    assert "The login name or password is wrong. Please try again." in page
    assert re.findall(r'id="([a-z-]+)"[^>]* autofocus', page) == ["password"]
    assert 'value="ada"' in page


async def test_page_tells_that_the_directory_requires_a_new_password(
    api: FakeLoginApi, browser: httpx.AsyncClient
) -> None:
    """Portico cannot change it, so the user has to know where to go (USER-395)."""
    api.step = step_of(
        StepName.LDAP,
        csrf="c",
        external_name="Staff",
        problem=Problem.EXTERNAL_FAILED,
        detail="USER-395",
    )

    assert "Please change it first where you usually do" in (await browser.get(PAGE)).text
