"""Recovery codes on the sign-in page are stored as a file without a script, or copied and printed with one."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect
from portico_contracts.step_names import StepName
from portico_fakes.authz_service import AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import step_of
from portico_fakes.memory_bus import MemoryBus
from portico_scenarios.pages_without_stack import PAGES_ISSUER, PagesWithoutStack

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("pages without a stack")]

CODES = tuple(f"ABCD-EFGH-IJKL-MN{number:02}" for number in range(10))
FILE = "".join(f"{code}\n" for code in CODES)


async def open_codes(page: Page, clock: FrozenClock, bus: MemoryBus) -> None:
    pages = PagesWithoutStack(AuthzService(clock, bus).app, FakeLoginApi())
    pages.login.step = step_of(StepName.RECOVERY_CODES, csrf="c", recovery_codes=CODES, login_name="ada@example.com")
    await pages.attach(page)
    await page.goto(f"{PAGES_ISSUER}/ui/login?request={REQUEST}")


async def saved(page: Page) -> str:
    async with page.expect_download() as download:
        await page.locator("#recovery-codes-file").click()
    found = await download.value
    assert found.suggested_filename == "recovery-codes.txt"
    return Path(await found.path()).read_text("utf-8")  # noqa: ASYNC240 - a small file


async def test_codes_are_saved_without_a_script(browser: Browser, clock: FrozenClock, bus: MemoryBus) -> None:
    """The file has a code in each line; buttons that need a script are hidden."""
    context = await browser.new_context(java_script_enabled=False)
    page = await context.new_page()
    await open_codes(page, clock, bus)

    assert await saved(page) == FILE
    await expect(page.locator("#recovery-codes-copy")).to_be_hidden()
    await expect(page.locator("#recovery-codes-print")).to_be_hidden()
    await context.close()


async def test_codes_are_copied_and_printed(browser: Browser, clock: FrozenClock, bus: MemoryBus) -> None:
    """The clipboard has a code in each line, and ten codes fit a small screen in two columns or one."""
    context = await browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = await context.new_page()
    await page.add_init_script("window.print = () => { document.title = 'printed' }")
    await open_codes(page, clock, bus)
    await page.locator("#recovery-codes-copy").click()
    await expect(page.locator("#recovery-codes-copy")).to_have_text("Copied")
    await page.locator("#recovery-codes-print").click()
    columns = "new Set([...document.querySelectorAll('#recovery-codes li')].map((one) => one.offsetLeft)).size"
    wide = await page.evaluate(columns)
    await page.set_viewport_size({"width": 320, "height": 640})

    assert await page.evaluate("navigator.clipboard.readText()") == FILE
    assert (await page.title(), wide) == ("printed", 2)
    assert await page.evaluate("document.documentElement.scrollWidth") == 320
    await context.close()
