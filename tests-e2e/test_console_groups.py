"""Groups in the console: twenty people into one, by one form."""

from __future__ import annotations

import secrets

import pytest
from playwright.async_api import Page, expect
from portico_contracts.apply import Document, Email, EndUser, Group, Organization, Profile
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e


@pytest.fixture
async def crowd(world: World) -> str:
    """An organization with twenty users and an empty group."""
    tag = secrets.token_hex(4)
    users = tuple(
        EndUser(
            id=f"member{number}-{tag}",
            username=f"member{number}-{tag}",
            profile=Profile(first_name=f"Member {number}", last_name="Example"),
            email=Email(email=f"member{number}-{tag}@example.test", is_verified=True),
        )
        for number in range(20)
    )
    organization = Organization(
        id=f"crowd-{tag}", name=f"Crowd {tag}", humans=users, groups=(Group(id=f"sales-{tag}", name="Sales"),)
    )
    await world.stack.apply(Document(organizations=(organization,)))
    return f"crowd-{tag}"


async def test_twenty_people_join_a_group_with_five_clicks(admin_tab: Page, world: World, crowd: str) -> None:
    """Menu, group, form, search and button; ticks are not counted."""
    clicks = 0
    await admin_tab.goto(f"{world.issuer}/ui/console/orgs/{crowd}")
    for what in ("nav a[href$='/groups']", "text=Sales", "#do-group-members-new"):
        clicks += 1
        async with admin_tab.expect_navigation():
            await admin_tab.locator(what).first.click()
    boxes = admin_tab.locator("#people input[type=checkbox]")
    await expect(boxes).to_have_count(20)
    for box in await boxes.all():
        await box.check()
    clicks += 1
    async with admin_tab.expect_navigation():
        await admin_tab.locator("#form-submit").click()

    await expect(admin_tab.locator("#notice")).to_have_text("20 users were added to the group.")
    assert clicks <= 6
