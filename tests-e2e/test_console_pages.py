"""Checks console and account pages with axe-core in light and dark, on small screens, and by size."""

from __future__ import annotations

import gzip

import pytest
from playwright.async_api import Browser, StorageState
from portico_scenarios.accessibility import prepare, violations_in_both_schemes
from portico_scenarios.contact_sheet import take_pictures
from portico_scenarios.pressed_states import weak_states
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

ACCOUNT = (
    "/ui/account",
    "/ui/account/security",
    "/ui/account/security/app/new",
    "/ui/account/history",
    "/ui/account/data",
)
CONSOLE = (
    "/ui/console/all",
    "/ui/console/orgs/demo-organization",
    "/ui/console/orgs/demo-organization/projects/demo-project/apps/demo-app/start?framework=flask",
    "/ui/console/orgs/demo-organization/users?select=page&sort=-created",
    "/ui/console/orgs/demo-organization/users/admin",
    "/ui/console/orgs/demo-organization/users/do/new",
    "/ui/console/orgs/demo-organization/users/admin/do/remove",
    "/ui/console/orgs/demo-organization/providers/new?preset=google",
    "/ui/console/orgs/demo-organization/rules/branding",
    "/ui/console/search?q=e",
    "/ui/console/help/identity-providers",
    "/ui/console/instance",
    "/ui/console/api/portico.user.v2.UserService/AddHumanUser",
    "/ui/console/requests/00000000000000000000000000000000",
    "/ui/console/signed-out",
)
"""Pages with different parts; the others belong to `make test-all`."""
OTHERS = (
    "/ui/account/profile",
    "/ui/account/security/passkeys/new",
    "/ui/account/security/recovery-codes",
    "/ui/account/sessions",
    "/ui/account/access",
    "/ui/account/links",
    "/ui/account/signed-out",
    "/ui/console/orgs/demo-organization/users/admin/sign-in",
    "/ui/console/orgs/demo-organization/users/admin/access",
    "/ui/console/orgs/demo-organization/invite",
    "/ui/console/orgs/demo-organization/projects/demo-project/apps/demo-app",
    "/ui/console/orgs/demo-organization/projects/demo-project/apps/demo-app/preview",
    "/ui/console/orgs/demo-organization/projects/demo-project/preview",
    "/ui/console/instance/rules/login",
    "/ui/console/orgs/demo-organization/rules/branding/emails",
    "/ui/console/instance/audit?only=changes&kind=users",
    "/ui/console/instance/requests",
    "/ui/console/orgs/demo-organization/apps/new?kind=web",
    "/ui/console/orgs/demo-organization/users",
    "/ui/console/orgs/demo-organization/users/do/import",
    "/ui/console/orgs/demo-organization/users/do/filter",
    "/ui/console/orgs/demo-organization/invitations",
    "/ui/console/orgs/demo-organization/users/admin/lost-device",
    "/ui/console/orgs/demo-organization/users/admin/grants/do/new?project=demo-project",
    "/ui/console/orgs/demo-organization/projects/demo-project",
    "/ui/console/orgs/demo-organization/projects/demo-project/roles/do/several",
    "/ui/console/orgs/demo-organization/providers/new",
    "/ui/console/orgs/demo-organization/webhooks/do/new",
    "/ui/console/instance/signing-keys/do/rotate",
    "/ui/console/all?q=nothing-has-this-name",
    "/ui/console/orgs/demo-organization/apps/new",
    "/ui/console/orgs/demo-organization/apps/new?kind=machine",
    "/ui/console/orgs/demo-organization/users?q=nothing-has-this-name&filter=locked&role=demo-project/reader",
    "/ui/console/orgs/demo-organization/users/do/export/json",
    "/ui/console/orgs/demo-organization/users/admin/history",
    "/ui/console/orgs/demo-organization/users/admin/grants/do/new",
    "/ui/console/orgs/demo-organization/members/do/new",
    "/ui/console/orgs/demo-organization/users/admin/do/lock",
    "/ui/console/orgs/demo-organization/projects",
    "/ui/console/orgs/demo-organization/projects/demo-project/apps/demo-app/do/settings",
    "/ui/console/orgs/demo-organization/idps",
    "/ui/console/orgs/demo-organization/providers/new?preset=ldap",
    "/ui/console/instance/providers/new?preset=oauth",
    "/ui/console/orgs/demo-organization/rules/login",
    "/ui/console/orgs/demo-organization/rules/links",
    "/ui/console/orgs/demo-organization/rules/client-metadata",
    "/ui/console/orgs/demo-organization/metadata-apps",
    "/ui/console/orgs/demo-organization/groups",
    "/ui/console/orgs/demo-organization/groups/do/new",
    "/ui/console/orgs/demo-organization/senders/sms",
    "/ui/console/orgs/demo-organization/senders/sms/do/change",
    "/ui/console/orgs/demo-organization/senders/email",
    "/ui/console/instance/signing-keys",
    "/ui/console/orgs/demo-organization/audit",
    "/ui/console/orgs/demo-organization/search?q=admin",
    "/ui/console/instance/invite",
    "/ui/console/instance/orgs",
    "/ui/console/instance/lifetimes",
    "/ui/console/api",
    "/ui/console/api?q=user",
    "/ui/console/requests",
    "/ui/console/orgs/no-such-organization",
)
CLIPPED = """() => {
    const spaced = new CSSStyleSheet();
    spaced.replaceSync("* { line-height: 1.5 !important; letter-spacing: .12em !important; "
        + "word-spacing: .16em !important; } p { margin-block-end: 2em !important; }");
    document.adoptedStyleSheets = [spaced];
    const clipped = [...document.querySelectorAll("body *:not(.unseen, .person bdi)")].filter((one) => {
        const style = getComputedStyle(one);
        const hides = (name, inner, outer) => ["hidden", "clip"].includes(style[name]) && inner > outer + 1;
        return one.textContent.trim() && one.clientWidth > 1 && (hides("overflowX", one.scrollWidth, one.clientWidth)
            || hides("overflowY", one.scrollHeight, one.clientHeight));
    }).map((one) => one.id || one.className || one.tagName);
    if (document.documentElement.scrollWidth > innerWidth) clipped.push("page");
    document.adoptedStyleSheets = [];
    return clipped;
}"""
"""Elements that hide a part of their text with the spacing of WCAG 1.4.12."""

COVERED = """() => {
    for (const row of document.querySelectorAll(".selection ~ .table tbody tr"))
        for (let copies = 0; copies < 20; copies++) row.after(row.cloneNode(true));
    const inside = [...document.querySelectorAll("main :is(a[href], button, input, select, textarea, summary)")];
    return inside.reverse().filter((one) => {
        if (!one.checkVisibility({visibilityProperty: true})) return false;
        one.focus();
        const {left, top, width, height} = one.getBoundingClientRect();
        const over = document.elementFromPoint(left + width / 2, top + height / 2)?.closest(".selection, .rail, .bar");
        return over && !over.contains(one);
    }).map((one) => one.id || one.outerHTML.slice(0, 80));
}"""
"""Controls that are behind a bar while they have the focus (WCAG 2.4.11), the last one first."""

FIRST_VIEW = 60_000
"""Bytes of a page with its stylesheet and script, which the gateway compresses."""
OF_OTHERS = ("/audit", "/history")
"""Pages that list what other tests did; `test_audit_entries.py` weighs a full one."""


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param(ACCOUNT, id="account"),
        pytest.param(CONSOLE, id="console"),
        pytest.param(OTHERS, id="other pages", marks=pytest.mark.long),
    ],
)
async def test_pages_are_accessible_and_fit_small_screens(
    browser: Browser, world: World, administrators_cookies: StorageState, pages: tuple[str, ...]
) -> None:
    """axe-core finds no violation, nothing is too wide, hidden or covered, and the first view is small."""
    context = await browser.new_context(reduced_motion="reduce", storage_state=administrators_cookies)
    found: list[str] = []
    try:
        tab = await context.new_page()
        await prepare(tab)
        sizes: dict[str, int] = {}
        for path in pages:
            response = await tab.goto(world.issuer + path)
            assert response is not None
            assert "/ui/login" not in tab.url, f"{path} requires a sign-in"
            sizes[path] = len(await response.body())
            found += [f"{path}: {one}" for one in await violations_in_both_schemes(tab)]
            found += [f"{path}: {one}" for one in await weak_states(tab)]
            await tab.set_viewport_size({"width": 320, "height": 640})
            if await tab.evaluate("document.documentElement.scrollWidth") > 320:
                found.append(f"{path} is wider than 320 px")
            found += [f"{path} hides text of {one} at 320 px" for one in await tab.evaluate(CLIPPED)]
            await tab.set_viewport_size({"width": 1280, "height": 400})
            found += [f"{path} covers {one}" for one in await tab.evaluate(COVERED)]
            await tab.set_viewport_size({"width": 1280, "height": 800})
            await take_pictures(tab, path.removeprefix("/ui/"))
        files = [
            await tab.request.get(f"{world.issuer}/ui/console/static/{name}") for name in ("console.css", "console.js")
        ]
        assert [file.headers.get("content-encoding") for file in files] == ["gzip"] * 2
        shared = sum([len(gzip.compress(await file.body())) for file in files])
    finally:
        await context.close()

    assert not found, found
    weighed = {path: size + shared for path, size in sizes.items() if not path.partition("?")[0].endswith(OF_OTHERS)}
    large = {path: size for path, size in weighed.items() if size > FIRST_VIEW}
    assert not large, large
