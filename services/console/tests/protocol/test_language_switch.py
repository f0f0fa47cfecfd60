"""The language switch at the foot of the console and the account page (decision 0134)."""

from __future__ import annotations

import httpx
import pytest
from portico_fakes.console_service import ISSUER, ConsoleService
from portico_harness.html_forms import Document


@pytest.mark.parametrize("path", ["/ui/console/orgs/o1", "/ui/account/profile"])
async def test_language_is_chosen_without_a_script(
    console: ConsoleService, browser: httpx.AsyncClient, path: str
) -> None:
    """The page is shown again in the language, whatever the profile and the browser prefer."""
    await console.sign_in(browser, path)
    form = Document((await browser.get(path)).text).form_with("language-nl")
    assert form is not None
    chosen = await browser.post(form.action, data=form.filled("language-nl", {}), headers={"Origin": ISSUER})

    assert (chosen.status_code, chosen.headers["location"]) == (303, path)
    assert '<html lang="nl" dir="ltr">' in (await browser.get(path)).text


async def test_language_of_the_profile_applies_at_once(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """Saving another language in the profile shows the pages in it; the browser's language is back without one."""
    await console.sign_in(browser, "/ui/account/profile")
    form = Document((await browser.get("/ui/account/profile")).text).form_with("names-save")
    assert form is not None
    saved = await browser.post(
        form.action, data=form.filled("names-save", {"language": "ar"}), headers={"Origin": ISSUER}
    )

    assert saved.status_code == 303
    assert '<html lang="ar" dir="rtl">' in (await browser.get("/ui/account/profile")).text
