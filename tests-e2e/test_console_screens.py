"""Console screens in a browser: create, change, error, bulk action, one-time secret, delete."""

from __future__ import annotations

import re
import secrets

import pytest
from playwright.async_api import Browser, Page, expect
from portico_contracts.http import TOKEN
from portico_harness.eventually import eventually
from portico_scenarios.object_actions import choose_action
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e


HOSTILE = "<img src=x onerror=alert(1)>\"'{{7*7}}"


@pytest.fixture
async def console(admin_tab: Page, world: World) -> Page:
    admin_tab.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    await admin_tab.goto(f"{world.issuer}/ui/console/orgs/demo-organization")
    await expect(admin_tab.locator("#org-heading")).to_be_visible()
    return admin_tab


def at(console: Page, path: str) -> str:
    return console.url.partition("/ui/console")[0] + "/ui/console" + path


async def press(console: Page, selector: str) -> None:
    async with console.expect_navigation():
        await console.locator(selector).first.click()


async def new_user(console: Page, tag: str, first_name: str = "Eve") -> None:
    await console.goto(at(console, "/orgs/demo-organization/users/do/new"))
    await console.locator("#new-more summary").click()
    await console.locator("#f-username").fill(tag)
    await console.locator("#how-verified").check()
    await console.locator("#f-profile-firstName").fill(first_name)
    await console.locator("#f-profile-lastName").fill("Example")
    await console.locator("#f-email-email").fill(f"{tag}@demo.localhost")
    await press(console, "#form-submit")


async def test_user_lifecycle(console: Page) -> None:
    """A user is created, changed, locked, unlocked and deleted, and HTML in names stays text."""
    tag = f"eve-{secrets.token_hex(4)}"
    await new_user(console, tag, HOSTILE)
    await expect(console.locator("#object-heading")).to_contain_text(HOSTILE)
    user = console.url.partition("?")[0]

    await choose_action(console, "profile")
    await expect(console.locator("#f-firstName")).to_have_value(HOSTILE)
    await console.locator("#f-displayName").fill(f"Eve {tag}")
    await press(console, "#form-submit")
    await expect(console.locator("#object-heading")).to_have_text(f"Eve {tag}")

    await console.goto(at(console, f"/orgs/demo-organization/users?q=Eve {tag}&in=name"))
    await expect(console.locator("#list-count")).to_contain_text("1")
    await press(console, "table tbody a")
    assert console.url == user

    await choose_action(console, "lock")
    await expect(console.locator("#confirm-loses")).to_be_visible()
    await press(console, "#confirm-submit")
    await expect(console.locator("#person .state")).to_have_text("locked")
    await choose_action(console, "unlock")
    await expect(console.locator("#person .state")).to_have_text("cannot sign in yet")

    await choose_action(console, "remove")
    await console.locator("#typed_name").fill("another name")
    await press(console, "#confirm-submit")
    await expect(console.locator("#confirm-problem")).to_be_visible()
    await console.locator("#typed_name").fill(f"Eve {tag}")
    await press(console, "#confirm-submit")
    await expect(console.locator("#list-heading")).to_be_visible()
    assert (await console.request.get(user)).status == 404


async def test_errors_are_shown_at_their_field(console: Page) -> None:
    """After an error the input is preserved except for the password, and nothing was created."""
    tag = f"bad-{secrets.token_hex(4)}"
    await console.goto(at(console, "/orgs/demo-organization/users/do/new"))
    await console.locator("#new-more summary").click()
    await console.locator("#f-username").fill(tag)
    await console.locator("#f-profile-firstName").fill("Eve")
    await console.locator("#f-profile-lastName").fill("Example")
    await console.locator("#f-email-email").fill("no address")
    await console.locator("#how-password").check()
    await console.locator("#f-password-password").fill("an owl on the old tower")
    await press(console, "#form-submit")

    await expect(console.locator("#form-problem")).to_be_visible()
    await expect(console.locator("#f-email-email")).to_have_attribute("aria-invalid", "true")
    await expect(console.locator("#f-username")).to_have_value(tag)
    await expect(console.locator("#f-password-password")).to_have_value("")
    await console.goto(at(console, f"/orgs/demo-organization/users?q={tag}&in=login"))
    await expect(console.locator("#list-empty")).to_be_visible()


@pytest.mark.long
async def test_bulk_action_has_a_result_per_user(console: Page) -> None:
    """A bulk action on three users, one of them locked meanwhile, shows a result for each."""
    tag = secrets.token_hex(4)
    for number in range(3):
        await new_user(console, f"bulk-{tag}-{number}")
    one = console.url.partition("?")[0]
    await console.goto(at(console, f"/orgs/demo-organization/users?q=bulk-{tag}"))
    for box in await console.locator("table tbody input[type=checkbox]").all():
        await box.check()
    other = await console.context.new_page()
    await other.goto(f"{one}/do/lock")
    await press(other, "#confirm-submit")
    await console.locator("#more-actions summary").click()
    await press(console, "#several button[formaction*='/do/lock']")
    await expect(console.locator("#confirm-names li")).to_have_count(3)
    await expect(console.locator("#confirm-names")).to_contain_text(f"bulk-{tag}-1@demo.localhost")
    await press(console, "#confirm-submit")

    await expect(console.locator("#results tbody tr")).to_have_count(3)
    await expect(console.locator("#results .state.good")).to_have_count(2)
    await expect(console.locator("#results .state.bad")).to_have_count(1)


async def test_secret_is_shown_once(console: Page) -> None:
    """A service user's key is offered as a file once, and a reload no longer shows it."""
    tag = f"robot-{secrets.token_hex(4)}"
    await console.goto(at(console, "/orgs/demo-organization/machines/do/new"))
    await console.locator("#f-userName").fill(tag)
    await console.locator("#f-name").fill(tag)
    await press(console, "#form-submit")
    await expect(console.locator("#object-heading")).to_have_text(tag)
    await press(console, "#do-machine-keys-new")
    await press(console, "#form-submit")
    await expect(console.locator("#once-1")).to_contain_text("PRIVATE KEY")
    await expect(console.locator("[data-download=once-1]")).to_have_attribute("data-file", "key.json")
    await console.reload()
    await expect(console.locator("#secret-shown")).to_be_visible()
    await expect(console.locator("#once-1")).to_have_count(0)


@pytest.mark.long
async def test_previous_client_secret_works_until_it_is_revoked(console: Page, world: World) -> None:
    """A service user gets tokens with both secrets, and after the revocation with the newest only."""
    tag = f"robot-{secrets.token_hex(4)}"
    await console.goto(at(console, "/orgs/demo-organization/machines/do/new"))
    await console.locator("#f-userName").fill(tag)
    await console.locator("#f-name").fill(tag)
    await press(console, "#form-submit")
    page = console.url
    made = []
    for seconds in ("0", "3600"):
        await choose_action(console, "secret")
        await expect(console.locator("#form-loses")).to_be_visible()
        await console.locator("#f-keepSeconds").select_option(seconds)
        await press(console, "#form-submit")
        made.append(await console.locator("#once-2").inner_text())
        await console.goto(page)

    assert [await _client_credentials(world, tag, one) for one in made] == [200, 200]
    await choose_action(console, "no-former-secret")
    await press(console, "#confirm-submit")
    await eventually(lambda: _client_credentials(world, tag, made[0]), (401).__eq__)
    assert await _client_credentials(world, tag, made[1]) == 200
    await console.goto(page)
    await expect(console.locator("#do-no-former-secret")).to_have_count(0)


async def _client_credentials(world: World, client_id: str, secret: str) -> int:
    form = {"grant_type": "client_credentials", "scope": "openid"}
    return (await world.http.post(f"{world.issuer}{TOKEN}", data=form, auth=(client_id, secret))).status_code


async def test_concurrent_change_is_not_overwritten(console: Page) -> None:
    """A form opened before another administrator's change is refused, and shows the input."""
    tag = f"two-{secrets.token_hex(4)}"
    await new_user(console, tag)
    await choose_action(console, "profile")
    other = await console.context.new_page()
    await other.goto(console.url)
    await other.locator("#f-nickName").fill("first")
    await press(other, "#form-submit")
    await console.locator("#f-nickName").fill("second")
    await press(console, "#form-submit")

    await expect(console.locator("#form-problem")).to_be_visible()
    await expect(console.locator("#f-nickName")).to_have_value("second")


@pytest.mark.long
async def test_administrator_is_found_and_added(console: Page) -> None:
    """An administrator is found by name and added with existing roles, listed, changed and removed."""
    tag = f"adm-{secrets.token_hex(4)}"
    await new_user(console, tag)
    await console.goto(at(console, "/orgs/demo-organization/members/do/new"))
    await console.locator("#f-userId-q").fill(tag)
    await press(console, "#f-userId-find")
    await console.locator("#f-userId input[type=radio]").check()
    await console.locator("input[name$='ORG_OWNER_VIEWER']").check()
    await press(console, "#form-submit")
    await press(console, "table a:has-text('Eve')")
    await expect(console.locator("#facts")).to_contain_text("Organization viewer")
    await choose_action(console, "roles")
    await expect(console.locator("input[name$='ORG_OWNER_VIEWER']")).to_be_checked()
    await console.locator("input[name$='ORG_USER_MANAGER']").check()
    await press(console, "#form-submit")
    await expect(console.locator("#facts")).to_contain_text("User manager")
    await choose_action(console, "remove")
    await press(console, "#confirm-submit")
    await expect(console.locator("#list-heading")).to_be_visible()


async def test_any_operation_has_a_form(console: Page) -> None:
    """Every operation can be found, shown as a command and a document, and sent, and its response is shown once."""
    name = f"project-{secrets.token_hex(4)}"
    await console.goto(at(console, "/api?q=project create"))
    await press(console, "#operations a:has-text('AddProject')")
    await console.locator("#org").fill("demo-organization")
    await console.locator("#f-name").fill(f"{name} {HOSTILE}")
    await press(console, "#operation-text")
    await expect(console.locator("#operation-curl")).to_contain_text(name)
    await expect(console.locator("#operation-curl")).to_contain_text("$TOKEN")
    await expect(console.locator("#operation-document")).to_contain_text("projects:")
    await press(console, "#operation-send")
    await expect(console.locator("#operation-answer")).to_contain_text(re.compile('"id"'))
    await console.reload()
    await expect(console.locator("#answer-shown")).to_be_visible()
    await console.goto(at(console, f"/orgs/demo-organization/projects?q={name}"))
    await expect(console.locator("table")).to_contain_text(HOSTILE)


async def test_signing_keys_are_rotated_and_revoked(console: Page, world: World) -> None:
    """A new key appears in the key set, and when the signing key is revoked, another one signs at once."""
    await console.goto(at(console, "/instance/signing-keys"))
    before = await console.locator("table tbody tr").count()
    await press(console, "#do-rotate")
    await console.locator("#f-alg").fill("XS999")
    await press(console, "#form-submit")
    await expect(console.locator("#form-problem")).to_be_visible()
    await console.locator("#f-alg").fill("RS256")
    await press(console, "#form-submit")
    await expect(console.locator("table tbody tr")).to_have_count(before + 1)

    new = await console.locator("tr", has=console.locator(".state", has_text="published")).locator("a").inner_text()
    await press(console, f"a:has-text('{new}')")
    await choose_action(console, "revoke")
    await console.locator("#typed_name").fill(new)
    await press(console, "#confirm-submit")
    await expect(console.locator(".page-head .state")).to_have_text("revoked")
    keys = (await (await console.request.get(f"{world.issuer}/oauth/v2/keys")).json())["keys"]
    assert new not in [key["kid"] for key in keys]
    assert keys


@pytest.mark.long
async def test_custom_texts_reach_the_sign_in_page(console: Page, browser: Browser, world: World) -> None:
    """Custom texts appear at the applications of the organization, and a language that is given twice is refused."""
    await console.goto(at(console, "/orgs/e2e-org/rules/texts"))
    await console.locator("#f-texts-0-language").select_option("English")
    await console.locator("#f-texts-0-signInTitle").fill("Welcome to the demo")
    await press(console, "#f-texts-add")
    await console.locator("#f-texts-1-language").select_option("en")
    await press(console, "#form-submit")
    await expect(console.locator("#form-problem")).to_be_visible()
    await console.locator("#f-texts-1-language").select_option("Deutsch")
    await console.locator("#f-texts-1-signInTitle").fill("Willkommen bei der Demo")
    await press(console, "#form-submit")
    await expect(console.locator("#f-texts-1-signInTitle")).to_have_value("Willkommen bei der Demo")

    context = await browser.new_context(locale="de-DE")
    try:
        page = await context.new_page()
        titles = []
        for scope in ("openid", "openid urn:portico:org:id:e2e-org"):
            await page.goto(begin(world.metadata, world.clients["basic"], scope=scope).url)
            titles.append(await page.locator("#page-title").inner_text())
    finally:
        await context.close()
    await press(console, "#do-reset")
    await press(console, "#confirm-submit")
    assert titles == ["Willkommen bei der Demo"] * 2
