"""Lists of the console in a browser: sorted, selected, exported; users imported from a CSV file. Clicks are counted."""

from __future__ import annotations

import csv
import secrets
from pathlib import Path

import pytest
from playwright.async_api import Download, Page, expect
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

FILE = """Vorname;Nachname;E-Mail;Telefon
Grace;Hopper;grace-{tag}@example.com;+41791234567
Nobody;Without;not an address;
Ada;Byron;ada-{tag}@example.com;
"""


class Walk:
    def __init__(self, page: Page, *, scripts: bool) -> None:
        self.page = page
        self.scripts = scripts
        self.clicks = 0

    async def click(self, selector: str, *, leads_on: bool = True) -> None:
        self.clicks += 1
        if not leads_on:
            await self.page.locator(selector).first.click()
            return
        async with self.page.expect_navigation():
            await self.page.locator(selector).first.click()


@pytest.fixture
async def walk(admin_tab: Page, world: World, scripts: bool) -> Walk:
    await admin_tab.goto(f"{world.issuer}/ui/console/orgs/demo-organization")
    await expect(admin_tab.locator("#org-heading")).to_be_visible()
    return Walk(admin_tab, scripts=scripts)


async def rows_of(download: Download, folder: Path) -> list[dict[str, str]]:
    path = folder / download.suggested_filename
    await download.save_as(path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


async def test_users_are_imported_sorted_and_exported(walk: Walk, tmp_path: Path) -> None:
    """Five clicks import a file with one bad row, whose reason is shown; five sort the list and export it."""
    page, tag = walk.page, secrets.token_hex(4)
    file = tmp_path / "people.csv"
    file.write_text(FILE.format(tag=tag), encoding="utf-8")
    await walk.click(".rail a[href$='/users']")
    await walk.click("#do-import")
    await page.locator("#file").set_input_files(file)
    await walk.click("#import-upload")
    await expect(page.locator("#columns th select")).to_have_count(4)
    assert [await one.input_value() for one in await page.locator("#columns th select").all()] == [
        "first",
        "last",
        "email",
        "phone",
    ]
    await walk.click("#import-check")
    await expect(page.locator("#import-summary")).to_contain_text("2 users can be created. 1 row has an error.")
    await expect(page.locator("#results tr", has_text="not an address")).to_contain_text("Invalid email address")
    await walk.click("#import-create")
    await expect(page.locator("#import-summary")).to_contain_text("2 users were created.")
    imported = walk.clicks
    async with page.expect_download() as refused:
        await page.locator("#import-refused").click()
    assert [row["Nachname"] for row in await rows_of(await refused.value, tmp_path)] == ["Without"]

    walk.clicks = 0
    await walk.click(".rail a[href$='/users']")
    await walk.click("th a[href*='sort=created']")
    await walk.click("th a[href*='sort=-created']")
    await expect(page.locator("th[aria-sort='descending']")).to_contain_text("Created")
    await walk.click("#export-menu summary", leads_on=False)
    async with page.expect_download() as download:
        await walk.click("#export-csv")
    rows = await rows_of(await download.value, tmp_path)
    if walk.scripts:
        await expect(page.locator("[data-done]")).to_be_visible()
        await expect(page.locator("[data-failed]")).to_be_hidden()
    await expect(page.locator("#export-what")).to_contain_text("as CSV")

    assert {row["Email"] for row in rows[:2]} == {f"grace-{tag}@example.com", f"ada-{tag}@example.com"}
    assert [row["Phone"] for row in rows if row["First name"] == "Grace" and tag in row["Email"]] == ["'+41791234567"]
    assert (imported, walk.clicks) == (5, 5)


async def test_page_of_users_is_selected_by_one_box(walk: Walk) -> None:
    """A box in the heading selects the page, or a link if scripts are off."""
    page = walk.page
    await walk.click(".rail a[href$='/users']")
    boxes = page.locator("input[name^='row-']")
    await expect(boxes.first).to_be_visible()
    count = await boxes.count()
    if walk.scripts:
        await page.locator("input[data-every]").click()
        await expect(page.locator("[data-selected]")).to_have_text(f"{count} selected")
        await boxes.first.click()
        await expect(page.locator("[data-selected]")).to_have_text(f"{count - 1} selected")
    else:
        await walk.click("#select-page")
        await expect(boxes.first).to_be_checked()

    assert await page.locator("input[name^='row-']:checked").count() == count - walk.scripts
