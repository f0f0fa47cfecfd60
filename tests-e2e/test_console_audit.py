"""The audit in a browser: what happened to a person, from the list to the file."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import secrets
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, StorageState, expect
from portico_contracts.management import METHODS
from portico_harness.eventually import eventually
from portico_scenarios.administrator import Administrator
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

USERS = "portico.user.v2.UserService"
IMPORT = "portico.management.v1.UserService.ImportHumanUsers"
AUDIT = "/ui/console/orgs/demo-organization/audit"


class Clicks:
    """A console page that counts clicks and submitted fields as a person would."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    async def press(self, selector: str) -> None:
        self.count += 1
        async with self.page.expect_navigation():
            await self.page.locator(selector).first.click()

    async def open(self, selector: str) -> None:
        self.count += 1
        await self.page.locator(selector).first.click()


@pytest.fixture
async def console(admin_tab: Page, world: World) -> Page:
    await admin_tab.goto(f"{world.issuer}/ui/console/orgs/demo-organization")
    await expect(admin_tab.locator("#org-heading")).to_be_visible()
    return admin_tab


@pytest.fixture
async def carl(admin: Administrator) -> str:
    """A person who was invited and then locked, by the management API; returns the display name."""
    tag = secrets.token_hex(4)
    body = {
        "username": f"carl-{tag}",
        "profile": {"givenName": "Carl", "familyName": tag},
        "email": {"email": f"carl-{tag}@demo.localhost", "isVerified": True},
        "organization": {"orgId": "demo-organization"},
    }
    id = (await admin.connect(f"{USERS}.AddHumanUser", body)).body["userId"]
    calls: tuple[tuple[str, dict[str, Any]], ...] = (("CreateInviteCode", {"returnCode": {}}), ("LockUser", {}))
    for method, more in calls:
        done = await admin.connect(f"{USERS}.{method}", {"userId": id, **more})
        assert done.code == 0, done.body
    return f"Carl {tag}"


async def test_invitation_and_lock_are_found_filtered_and_exported(console: Page, carl: str) -> None:
    """Both are sentences; three clicks lead from the console to the person's events, two more to a file."""
    clicks = Clicks(console)
    await clicks.press(f"a[href$='{AUDIT}']")
    locked = console.locator(".event", has_text=f"locked {carl}")
    await expect(locked).to_have_count(1)
    await expect(console.locator(".event", has_text=f"invited {carl}")).to_have_count(1)
    await expect(locked.locator("time")).to_be_visible()

    await locked.locator("summary").click()
    clicks.count += 1
    await expect(locked.locator(".changes ins").first).to_have_text("locked")
    async with console.expect_navigation():
        await locked.locator("a", has_text="Only about this object").click()
    clicks.count += 1
    assert clicks.count == 3
    sentences = console.locator(".event .sentence")
    await expect(sentences).to_have_count(3)
    assert [one.split(carl)[0].split()[-2:][-1] for one in await sentences.all_inner_texts()] == [
        "locked",
        "invited",
        "user",
    ]

    await clicks.open("#export")
    rows = list(csv.DictReader(io.StringIO(await downloaded(clicks, "#export-csv"))))
    assert clicks.count == 5
    assert [row["activity"] for row in rows] == ["users.locked", "users.invited", "users.created"]
    await console.reload()
    await clicks.open("#export")
    assert len(json.loads(await downloaded(clicks, "#export-json"))) == 3


async def downloaded(clicks: Clicks, selector: str) -> str:
    async with clicks.page.expect_download() as download:
        await clicks.open(selector)
    return await asyncio.to_thread(Path(await (await download.value).path()).read_text, "utf-8")


async def test_person_and_sign_ins_are_filters(console: Page, carl: str) -> None:
    """A name is typed, one submission later the events are those that the administrator caused."""

    async def open_sign_ins() -> int:
        await console.goto(console.url.partition("/ui/")[0] + AUDIT + "?only=sign-ins")
        return await console.locator(".event", has_text="signed in to").count()

    # The sign-in of the administrator reaches the log through the bus.
    await eventually(open_sign_ins, bool)
    await console.goto(console.url.partition("/ui/")[0] + AUDIT)
    await console.locator("#person").fill(carl)
    async with console.expect_navigation():
        await console.locator("#filters button").click()
    await expect(console.locator(".chips a[aria-current]", has_text=carl)).to_be_visible()
    await expect(console.locator("#list-empty")).to_be_visible()
    async with console.expect_navigation():
        await console.locator(".chips a[aria-current]", has_text=carl).click()
    await expect(console.locator(".event").first).to_be_visible()


async def test_yesterday_is_two_clicks_away(console: Page, scripts: bool) -> None:
    """Without typing dates, in the time zone of the browser; without scripts in UTC."""
    clicks = Clicks(console)
    await clicks.press(f"a[href$='{AUDIT}']")
    await clicks.press("#periods a[href*='period=yesterday']")
    await expect(console.locator("#periods a[aria-current]")).to_have_text("Yesterday")
    zone = await console.evaluate("new Intl.DateTimeFormat().resolvedOptions().timeZone") if scripts else "UTC"
    await expect(console.locator("#zone")).to_contain_text(zone)

    assert clicks.count == 2


async def test_import_is_one_entry_that_opens_to_its_users(console: Page, admin: Administrator, world: World) -> None:
    """However many users it has; their number is in the entry."""
    tag = secrets.token_hex(4)
    rows = [
        json.dumps(
            {"profile": {"givenName": f"P{n}", "familyName": tag}, "email": {"email": f"p{n}-{tag}@demo.localhost"}}
        )
        for n in range(3)
    ]
    headers = {**admin.headers, "Connect-Protocol-Version": "1", "x-service-orgid": "demo-organization"}
    body = {"rows": rows, "importId": tag}
    done = await world.http.post(f"{world.issuer}{METHODS[IMPORT].path}", json=body, headers=headers)
    assert done.status_code == 200, done.text
    await console.goto(console.url.partition("/ui/")[0] + AUDIT)
    entry = console.locator(".event", has_text="imported users").first
    await expect(entry).to_contain_text("3 users")
    await expect(console.locator(".event", has_text=f"P1 {tag}")).to_have_count(0)
    await entry.locator("a", has_text="Show the users").click()
    await expect(console.locator(".event .sentence", has_text=tag)).to_have_count(3)


DAYS = """() => [...document.querySelectorAll("section.day")].map((section) => [
    section.dataset.day,
    ...new Set([...section.querySelectorAll("time")].map((time) => new Date(time.dateTime).toLocaleDateString("sv-SE"))),
])"""
"""The day of each section, and the days of its entries in the zone of the browser."""


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
async def test_days_are_those_of_the_reader(
    browser: Browser, world: World, administrators_cookies: StorageState, zone: str
) -> None:
    """Each entry is below the heading of its day in the zone that its time is shown in, and no day is there twice."""
    context = await browser.new_context(timezone_id=zone, storage_state=administrators_cookies)
    try:
        tab = await context.new_page()
        await tab.goto(f"{world.issuer}{AUDIT}")
        await expect(tab.locator("section.day h2").first).not_to_contain_text("UTC")
        days = await tab.evaluate(DAYS)
    finally:
        await context.close()

    assert days
    assert [[day, day] for day in dict.fromkeys(day for day, *_ in days)] == days
