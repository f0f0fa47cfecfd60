"""Jobs with applications and APIs in the console, counted in clicks from the organization's start page."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest
from playwright.async_api import Page, expect
from portico_contracts.apply import Document, LoginPolicy
from portico_harness.eventually import HANGS, eventually
from portico_scenarios.accessibility import violations_in_both_schemes
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

MODULES = Path(__file__).parent / "clients" / "node" / "node_modules"


@pytest.fixture
async def console(admin_tab: Page, world: World) -> Page:
    await admin_tab.goto(f"{world.issuer}/ui/console/orgs/demo-organization")
    await expect(admin_tab.locator("#org-heading")).to_be_visible()
    return admin_tab


async def click(page: Page, *selectors: str) -> int:
    """Returns the number of clicks."""
    for selector in selectors:
        await page.locator(selector).first.click()
    return len(selectors)


async def test_api_with_two_scopes_is_used_by_an_application(console: Page, scripts: bool) -> None:
    """Seven clicks at most: two scopes, an application of another project, and code that checks both."""
    name = f"Orders {secrets.token_hex(4)}"
    clicks = await click(console, "#new-app", "#kind-api")
    await console.locator("#f-name").fill(name)
    await console.locator("#f-resources").fill(f"https://{secrets.token_hex(4)}.example")
    await console.locator("#framework").select_option("fastapi")
    await console.locator("#f-scopes-0-scope").fill("orders.read")
    await console.locator("#f-scopes-0-title").fill("Read your orders")
    clicks += await click(console, "#f-scopes-add")
    await expect(console.locator("#f-scopes-1-scope")).to_be_focused()
    await console.locator("#f-scopes-1-scope").fill("orders.write")
    found = await violations_in_both_schemes(console) if scripts else []
    clicks += await click(console, ".switches input", "#new-app-create")
    await expect(console.locator("#app-heading")).to_have_text(name)
    assert clicks <= 7
    assert found == []
    assert not scripts or await violations_in_both_schemes(console) == []
    await expect(console.locator("#scopes tbody tr")).to_have_count(2)
    await expect(console.locator("#file-1")).to_contain_text("orders.write")
    await expect(console.locator(".switches input").first).to_be_checked()

    await click(console, "#edit-scopes")
    await click(console, "[name=drop_row][value='f.scopes.0']")
    await expect(console.locator("[name='f.scopes.1.scope']")).to_have_count(0)
    await click(console, "#form-submit")
    await expect(console.locator("#scopes tbody tr")).to_have_count(1)
    await click(console, ".switches input >> nth=0", "#clients-save")
    await expect(console.locator(".switches input").first).not_to_be_checked()
    assert re.search(r"/apps/[^/]+", console.url)


async def create(console: Page, name: str) -> int:
    """Makes a web application with code for Flask; returns the number of clicks."""
    clicks = await click(console, "#new-app", "#kind-web")
    await console.locator("#f-name").fill(name)
    await console.locator("#framework").select_option("flask")
    await console.locator("#f-redirectUris").fill("https://shop.example/cb")
    clicks += await click(console, "#new-app-create")
    await expect(console.locator("#app-heading")).to_have_text(name)
    return clicks


async def test_web_application_to_running_code(console: Page) -> None:
    """Three clicks, and the page has the code."""
    assert await create(console, f"Shop {secrets.token_hex(4)}") == 3
    await expect(console.locator("#file-1")).to_be_visible()


async def test_secret_is_rotated_with_overlap(console: Page, world: World, scripts: bool) -> None:
    """Three clicks; the old secret works for a day without a further choice, and both are listed with their use."""
    name = f"Shop {secrets.token_hex(4)}"
    await create(console, name)
    first = await console.locator("#client-secret").inner_text()
    await console.goto(console.url.partition("/projects/")[0])
    clicks = await click(console, f"text={name} >> nth=-1", "#do-secret")
    await expect(console.locator("#f-keepSeconds")).to_have_value("86400")
    await console.locator("#f-expiresAfterDays").select_option("90 days")
    clicks += await click(console, "#form-submit")
    second = await console.locator("#once-1").inner_text()
    assert clicks <= 3
    assert second != first
    if scripts:
        await expect(console.locator("[data-download]")).to_be_visible()

    await console.locator("main .actions a").click()
    await expect(console.locator("#secrets tbody tr")).to_have_count(2)
    await expect(console.locator("#secrets tbody tr").nth(1)).to_contain_text("Previous")
    assert not scripts or await violations_in_both_schemes(console) == []
    await click(console, "#do-settings", "#form-tabs a >> nth=1")
    await console.locator("#f-rolesClaim").fill("roles")
    await click(console, "#form-submit")
    await expect(console.locator("#facts")).to_contain_text("https://shop.example/cb")
    await expect(console.locator("#no-redirect-uri")).to_have_count(0)

    client_id = await console.locator("#client-id").inner_text()
    async with httpx.AsyncClient(auth=(client_id, first), base_url=world.issuer) as program:
        assert (await program.post("/oauth/v2/introspect", data={"token": "x"})).json() == {"active": False}

    async def uses() -> list[str]:
        await console.reload()
        return [await row.locator("td").nth(2).inner_text() for row in await console.locator("#secrets tbody tr").all()]

    current, previous = await eventually(uses, lambda found: "no use recorded" not in found[1])
    assert current == "no use recorded"
    assert previous != current


async def test_reason_of_a_refusal_is_one_click_away(console: Page, world: World, scripts: bool) -> None:
    """The list has it, with the application; a button registers the URI that was missing."""
    name = f"Shop {secrets.token_hex(4)}"
    await create(console, name)
    query = {
        "response_type": "code", "client_id": await console.locator("#client-id").inner_text(), "scope": "openid", "state": "s" * 32,
        "redirect_uri": "https://shop.example/other", "code_challenge": "c" * 43, "code_challenge_method": "S256",
    }  # fmt: skip
    refused = await world.http.get(f"{world.issuer}/oauth/v2/authorize?{urlencode(query)}")
    assert refused.status_code == 400
    row = console.locator("#refusals li", has_text=name)

    async def open_list() -> bool:
        await console.goto(f"{world.issuer}/ui/console/orgs/demo-organization")
        assert await click(console, "nav a[href*='/requests']") == 1
        await expect(console.locator("#refusals")).to_be_visible()
        return await row.count() > 0

    await eventually(open_list, bool)
    await expect(row).to_contain_text("redirect")
    assert not scripts or await violations_in_both_schemes(console) == []

    await row.locator("a").click()
    await click(console, "#register")
    await expect(console.locator("#register-uri")).to_have_text("https://shop.example/other")
    await click(console, "#register-submit")
    await expect(console.locator("#facts")).to_contain_text("https://shop.example/other")
    accepted = await world.http.get(f"{world.issuer}/oauth/v2/authorize?{urlencode(query)}")
    assert accepted.status_code != 400


@pytest.fixture
async def devices_off_again(world: World) -> AsyncIterator[None]:
    yield
    await world.stack.apply(Document(login_policy=LoginPolicy(), organizations=()))


@pytest.mark.long
@pytest.mark.usefixtures("devices_off_again")
async def test_finished_code_for_a_device_signs_in(console: Page, tmp_path: Path) -> None:
    """The form turns the rule of the instance on, and the code that it ends with runs unchanged (RFC 8628)."""
    await click(console, "#new-app", "#kind-device")
    await console.locator("#f-name").fill(f"TV {secrets.token_hex(4)}")
    await expect(console.locator("#f-redirectUris")).to_have_count(0)
    await click(console, "#devices_on", "#new-app-create")
    await expect(console.locator("#app-heading")).to_contain_text("TV")
    await expect(console.locator("#devices-off")).to_have_count(0)
    (tmp_path / "cli.mjs").write_text(await console.locator("#file-1").inner_text(), encoding="utf-8")
    (tmp_path / "node_modules").symlink_to(MODULES)
    program = await asyncio.create_subprocess_exec(
        "node", "cli.mjs", cwd=tmp_path, env={"PATH": os.environ["PATH"]}, stdout=PIPE
    )
    try:
        shown = re.fullmatch(r"Open (\S+) and enter the code (\S+)", await line_of(program))
        assert shown
        await console.goto(shown[1])
        await console.locator("#user-code").fill(shown[2])
        await click(console, "#device-submit")
        await click(console, "#consent-allow")
        await expect(console.locator("#device-answered-page")).to_be_visible()

        assert await line_of(program) == "Hello Ada Admin"
    finally:
        if program.returncode is None:
            program.kill()
        await program.wait()


async def line_of(program: Process) -> str:
    assert program.stdout is not None
    async with asyncio.timeout(HANGS):
        return (await program.stdout.readline()).decode().strip()
