"""A new application in the console: created, first refused with the reason, then signed in to."""

from __future__ import annotations

import re
import secrets
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.async_api import Page, expect
from portico_oauth.pkce import challenge_of
from portico_scenarios.looking_again import look_until
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

REDIRECT = "http://localhost:9/cb"
WRONG = "http://localhost:9/cb/"
VERIFIER = "v" * 64


@pytest.fixture
async def console(admin_tab: Page, world: World) -> Page:
    await admin_tab.goto(f"{world.issuer}/ui/console/orgs/demo-organization")
    await expect(admin_tab.locator("#org-heading")).to_be_visible()
    return admin_tab


def authorize(world: World, client_id: str, redirect_uri: str) -> str:
    query = {
        "response_type": "code", "client_id": client_id, "redirect_uri": redirect_uri, "scope": "openid",
        "state": secrets.token_hex(16), "code_challenge": challenge_of(VERIFIER), "code_challenge_method": "S256",
    }  # fmt: skip
    return f"{world.issuer}/oauth/v2/authorize?{urlencode(query)}"


async def create(console: Page, name: str) -> tuple[str, str]:
    await console.locator("#new-app").click()
    await console.locator("#kind-web").click()
    await console.locator("#f-name").fill(name)
    await console.locator("#framework").select_option("flask")
    await console.locator("#f-redirectUris").fill(REDIRECT)
    await console.locator("#new-app-create").click()
    await expect(console.locator("#app-heading")).to_have_text(name)
    return await console.locator("#client-id").inner_text(), await console.locator("#client-secret").inner_text()


@pytest.mark.long
async def test_refused_address_is_corrected_in_place(console: Page) -> None:
    """The reason is beside the field, all input stays, nothing is left behind, and four clicks lead to the code."""
    name, clicks = f"Shop {secrets.token_hex(4)}", 0
    for selector in ("#new-app", "#kind-web"):
        await console.locator(selector).click()
        clicks += 1
    await console.locator("#f-name").fill(name)
    await console.locator("#framework").select_option("flask")
    for uri in ("http://shop.example/cb", "https://shop.example/cb"):
        await console.locator("#f-redirectUris").fill(uri)
        await console.locator("#new-app-create").click()
        clicks += 1
        if uri.startswith("http://"):
            await expect(console.locator("#f-redirectUris-problem")).to_be_visible()
            await expect(console.locator("#f-name")).to_have_value(name)
    await expect(console.locator("#app-heading")).to_have_text(name)
    await expect(console.locator("#file-1")).to_be_visible()

    assert clicks == 4
    console_home = console.url.partition("/projects")[0]
    await console.goto(f"{console_home}/projects?q={name.replace(' ', '+')}")
    await expect(console.locator("tbody tr")).to_have_count(1)


async def test_page_of_an_application_has_its_requests_above(console: Page) -> None:
    """Later visits show requests, credentials without the secret, and settings; code is chosen by framework."""
    name = f"Shop {secrets.token_hex(4)}"
    client_id, secret = await create(console, name)
    await console.goto(console.url.partition("/start")[0])
    await expect(console.locator("#client-id")).to_have_text(client_id)
    order = [
        await console.locator(one).bounding_box() for one in ("#waiting", "#client-id", "#configuration", "#facts")
    ]
    await console.locator("#framework").select_option("flask")
    await console.locator("#configuration form button").click()
    await expect(console.locator("#file-1")).to_contain_text(client_id)

    assert [box["y"] for box in order if box] == sorted(box["y"] for box in order if box)
    assert secret not in await console.content()
    await expect(console.locator("#do-settings")).to_be_visible()


async def test_new_application_to_first_sign_in(console: Page, world: World) -> None:
    """The configuration has the client id, and a wrong redirect URI is explained with its correction."""
    name = f"Shop {secrets.token_hex(4)}"
    client_id, secret = await create(console, name)
    start = console.url.partition("?")[0]
    assert client_id in await console.locator("#configuration").inner_text()
    assert len(secret) >= 32
    await console.reload()
    await expect(console.locator("#secret-shown")).to_be_visible()
    assert secret not in await console.content()
    await expect(console.locator("#waiting li")).to_have_count(0)

    refused = await world.http.get(authorize(world, client_id, WRONG))
    await look_until(console, start, "#waiting .state.bad")
    await console.locator("#waiting a", has_text="check").first.click()
    await expect(console.locator("#checks")).to_contain_text(REDIRECT)
    assert refused.status_code == 400
    assert console.url.endswith(refused.headers["x-request-id"])

    tab = await console.context.new_page()
    async with tab.expect_request(re.compile(r"^http://localhost:9/cb\?")) as sent:
        with pytest.raises(Exception, match=r"ERR_CONNECTION_REFUSED|ERR_UNSAFE_PORT|ERR_ABORTED"):
            await tab.goto(authorize(world, client_id, REDIRECT))
    code = parse_qs(urlsplit((await sent.value).url).query)["code"][0]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT, "code_verifier": VERIFIER}
    redeemed = await world.http.post(f"{world.issuer}/oauth/v2/token", data=form, auth=(client_id, secret))
    assert redeemed.status_code == 200
    await look_until(console, start, "#first-sign-in")


@pytest.mark.long
async def test_refused_request_is_found_by_its_id(console: Page, world: World) -> None:
    """The id on an error page leads to the diagnostics, and an unknown id is explained."""
    client_id, _ = await create(console, f"Shop {secrets.token_hex(4)}")
    refused = await world.http.get(authorize(world, client_id, WRONG))
    id = refused.headers["x-request-id"]
    await console.goto(f"{world.issuer}/ui/console/requests")
    await console.locator("#request").fill("0" * 32)
    await console.locator("#trace-find").click()
    await expect(console.locator("#trace-absent")).to_be_visible()
    await console.locator("#request").fill(id)
    await console.locator("#trace-find").click()

    await expect(console.locator("#trace-fix")).to_be_visible()
    assert id in refused.text
    assert REDIRECT not in refused.text.replace(WRONG, "")
