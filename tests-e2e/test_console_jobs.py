"""Everyday jobs with the people of an organization, each with the clicks that it may take from the start page.

Typing, choosing a file, ticks and "Confirm it is you" are not clicks.
"""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from portico_contracts.apply import Document, Email, EndUser, Group, Organization, Profile, Project, Role
from portico_scenarios.mailbox import mails_to
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

CROWD = 60


class Jobs:
    """Counts the clicks of one job, each of which opens a page."""

    def __init__(self, tab: Page, tag: str, *, scripts: bool) -> None:
        self.tab = tab
        self.scripts = scripts
        self.tag = tag
        self.home = tab.url
        self.clicks = 0

    async def begin(self) -> None:
        self.clicks = 0
        await self.tab.goto(self.home)

    async def find(self, words: str) -> None:
        await self.tab.locator("#find").fill(words)
        async with self.tab.expect_navigation():
            await self.tab.locator("#find").press("Enter")

    async def click(self, *selectors: str) -> None:
        for selector in selectors:
            self.clicks += 1
            async with self.tab.expect_navigation():
                await self.tab.locator(selector).first.click()

    async def open(self, selector: str) -> None:
        """A click that opens a menu."""
        self.clicks += 1
        await self.tab.locator(selector).first.click()

    async def choose(self, name: str, value: str) -> None:
        await self.tab.locator(f"select[name={name}]").select_option(value)

    async def go_on(self) -> None:
        """Without scripts, a button sends each further portion."""
        while not self.scripts and await self.tab.locator("#go-on button").count():
            async with self.tab.expect_navigation():
                await self.tab.locator("#go-on button").click()

    async def notice(self, text: str) -> None:
        await expect(self.tab.locator("#notice")).to_contain_text(text)


@pytest.fixture
async def jobs(admin_tab: Page, world: World, scripts: bool) -> Jobs:
    tag = secrets.token_hex(4)
    people = tuple(
        EndUser(
            id=f"job{number}-{tag}",
            username=f"job{number}-{tag}",
            profile=Profile(first_name=f"Person {number}", last_name="Example"),
            email=Email(email=f"job{number}-{tag}@example.test", is_verified=True),
        )
        for number in range(CROWD)
    )
    project = Project(id=f"shop-{tag}", name="Shop", roles=(Role(role_key="reader", display_name="Reader"),))
    group = Group(id=f"sales-{tag}", name="Sales")
    organization = Organization(
        id=f"jobs-{tag}", name=f"Jobs {tag}", humans=people, groups=(group,), projects=(project,)
    )
    await world.stack.apply(Document(organizations=(organization,)))
    await admin_tab.goto(f"{world.issuer}/ui/console/orgs/{organization.id}")
    return Jobs(admin_tab, tag, scripts=scripts)


async def test_all_of_a_filter_join_a_group(jobs: Jobs) -> None:
    """Users, filter, all of them, the group: six clicks for any number."""
    await jobs.click("nav a[href$='/users']", ".chips a:has-text('Never signed in')", "#select-all")
    await jobs.click("button:has-text('Add to group')")
    await jobs.tab.locator("#f-groupId").select_option(label="Sales")
    await jobs.click("#confirm-submit")
    await jobs.go_on()

    await expect(jobs.tab.locator("main")).to_contain_text(f"{CROWD} of {CROWD}")
    await expect(jobs.tab.locator("#results-failed")).to_have_count(0)
    assert jobs.clicks <= 6


async def test_twenty_are_invited_like_one(jobs: Jobs, world: World) -> None:
    """With a role, in four clicks; the list of invitations has them all, and ends one of them."""
    tag = secrets.token_hex(3)
    addresses = [f"guest{number}.{tag}@mail.example.test" for number in range(20)]
    await jobs.click("nav a[href$='/users']", "#do-invite")
    await jobs.tab.locator("#f-email-email").fill("\n".join(addresses))
    await jobs.tab.locator('label:has-text("Reader")').click()
    await jobs.click("#form-submit")
    await jobs.notice("20 users were invited.")
    assert jobs.clicks <= 4

    await expect(jobs.tab.locator("tbody tr")).to_have_count(20)
    await expect(jobs.tab.locator("tbody tr").first).to_contain_text("invited")
    [mail] = await mails_to(world.mails, addresses[0])
    assert str(mail["subject"]).startswith("Ada Admin invites you to")


async def test_person_is_found_and_offboarded(jobs: Jobs) -> None:
    """One click opens the page of a user whose name was typed; two more end the access."""
    await jobs.find(f"job17-{jobs.tag}")
    await jobs.click("main a:has-text('Person 17 Example')")
    await expect(jobs.tab.locator("#person .state")).to_have_text("cannot sign in yet")
    assert jobs.clicks == 1

    await jobs.click("#do-deactivate")
    await expect(jobs.tab.locator("#confirm-loses")).to_contain_text("a user who has left")
    await jobs.click("#confirm-submit")
    await expect(jobs.tab.locator("#person .state")).to_have_text("inactive")
    assert jobs.clicks <= 3


async def test_list_is_exported(jobs: Jobs) -> None:
    """An export takes three clicks: the list, its menu, the format."""
    await jobs.click("nav a[href$='/users']")
    await jobs.open("#export-menu summary")
    await jobs.click("#export-csv")

    await expect(jobs.tab.locator("#export-what")).to_contain_text(f"{CROWD} entries as CSV.")
    assert jobs.clicks <= 3


def rows_of(tag: str) -> str:
    """Three hundred, of which seven are wrong."""
    lines = [f"New {number},Example,new{number}-{tag}@example.test" for number in range(293)]
    return "First name,Last name,Email\n" + "\n".join([*lines, *(f"Wrong {one},Example," for one in range(7))]) + "\n"


@pytest.mark.long
async def test_three_hundred_are_imported_then_changed(jobs: Jobs, tmp_path: Path) -> None:
    """Five clicks each; the seven wrong rows are named, and the others get a group and a role by a second file."""
    first, second = tmp_path / "new.csv", tmp_path / "changed.csv"
    first.write_text(rows_of(jobs.tag), encoding="utf-8")
    await jobs.click("nav a[href$='/users']", "#do-import")
    await jobs.tab.locator("#file").set_input_files(first)
    await jobs.click("#import-upload", "#import-check")
    await jobs.go_on()
    summary = jobs.tab.locator("#import-summary")
    await expect(summary).to_contain_text("293 users can be created. 7 rows have errors.")
    await expect(jobs.tab.locator("#results tbody tr").first).to_contain_text("Email is missing.")
    await jobs.click("#import-create")
    await jobs.go_on()
    await expect(summary).to_contain_text("293 users were created.")
    assert jobs.clicks <= 5

    await jobs.begin()
    lines = [f"new{number}-{jobs.tag}@example.test,Renamed,Sales,Shop: Reader" for number in range(3)]
    second.write_text("Email,Last name,Groups,Roles\n" + "\n".join(lines) + "\n", encoding="utf-8")
    await jobs.click("nav a[href$='/users']", "#do-import")
    await jobs.tab.locator("#file").set_input_files(second)
    await jobs.click("#import-upload")
    await jobs.choose("match", "email")
    await jobs.click("#import-check")
    await expect(summary).to_contain_text("3 users will be changed.")
    await expect(jobs.tab.locator("#results")).to_contain_text("Last name: Example → Renamed; + Sales; + Shop: Reader")
    await jobs.click("#import-create")
    await expect(summary).to_contain_text("3 users were changed.")
    assert jobs.clicks <= 5

    await jobs.begin()
    await jobs.click("nav a[href$='/users']", "#do-filter")
    await jobs.choose("role", f"shop-{jobs.tag}/reader")
    await jobs.click("#form-submit")
    await expect(jobs.tab.locator("tbody tr")).to_have_count(3)
    await expect(jobs.tab.locator("tbody tr").first).to_contain_text("Sales")
