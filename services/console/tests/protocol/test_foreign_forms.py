from __future__ import annotations

from itertools import cycle

import httpx
import pytest
from portico_console.account_app import ACCOUNT_PAGES
from portico_console.console_app import CONSOLE_PAGES
from portico_console.page_table import PageRow
from portico_fakes.console_service import ISSUER, ConsoleService

PAGES: tuple[tuple[str, tuple[PageRow, ...]], ...] = (("/ui/console", CONSOLE_PAGES), ("/ui/account", ACCOUNT_PAGES))
PARTS = dict.fromkeys(
    (
        "org", "user", "project", "app", "key", "role", "grant", "idp", "webhook", "delivery", "domain", "session", "link", "device",
        "passkey", "token", "type", "action", "id", "client",
        "group", "member", "device", "scim", "secret", "target", "server",
    ),
    "x",
) | {"service": "portico.management.v1.ProjectService", "method": "AddProject"}  # fmt: skip
FORMS = [root + row.path.format_map(PARTS) for root, rows in PAGES for row in rows if row.submit is not None]
FOREIGN = (
    {"Origin": "https://attacker.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Origin": ISSUER, "Sec-Fetch-Site": "cross-site"},
)


def changes(console: ConsoleService) -> list[str]:
    methods = [method.rpartition("/")[2] for method, _fields in console.provider.calls]
    return [method for method in methods if not method.startswith(("Get", "List", "Count"))]


async def token_of(browser: httpx.AsyncClient, root: str) -> str:
    page = await browser.get(f"{root}/requests" if root.endswith("console") else f"{root}/data")
    return page.text.split('name="csrf" value="')[1].split('"')[0]


@pytest.mark.parametrize("root", [pytest.param("/ui/console", marks=pytest.mark.slow), "/ui/account"])
async def test_foreign_forms_are_refused_and_change_nothing(
    console: ConsoleService, browser: httpx.AsyncClient, root: str
) -> None:
    """Every form is refused from another site and without a valid token; the kinds of both take turns."""
    await console.sign_in(browser, root)
    own = await token_of(browser, root)
    async with console.browser() as other:
        await console.sign_in(other, root)
        foreign_token = await token_of(other, root)
    found = []
    tokens: tuple[dict[str, str], ...] = ({}, {"csrf": ""}, {"csrf": foreign_token}, {"csrf": own[:-1]})
    kinds = cycle(zip(FOREIGN, tokens, strict=True))
    for path, (headers, fields) in zip([one for one in FORMS if one.startswith(root)], kinds, strict=False):
        answer = await browser.post(path, data={"csrf": own, "confirmed": "1"}, headers=headers)
        found += [f"{path} {headers}: {answer.status_code}"] if answer.status_code != 403 else []
        answer = await browser.post(path, data={**fields, "confirmed": "1"}, headers={"Origin": ISSUER})
        found += [f"{path} {fields}: {answer.status_code}"] if answer.status_code != 403 else []

    assert own != foreign_token
    assert found == []
    assert changes(console) == []


HIDDEN = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
"""Of a browser that hides the referrer."""


@pytest.mark.parametrize("root", [pytest.param("/ui/console", marks=pytest.mark.slow), "/ui/account"])
async def test_own_forms_without_a_referrer_are_read(
    console: ConsoleService, browser: httpx.AsyncClient, root: str
) -> None:
    """The token is what refuses them then: without it each is 403, with it the origin is no reason."""
    await console.sign_in(browser, root)
    own, path = await token_of(browser, root), f"{root}/theme"
    answers = [await browser.post(path, data=data, headers=HIDDEN) for data in ({"csrf": "x"}, {"csrf": own})]

    assert [answer.status_code for answer in answers] == [403, 303]


def test_all_forms_are_tested() -> None:
    assert len([one for one in FORMS if one.startswith("/ui/console")]) > 80
    assert len([one for one in FORMS if one.startswith("/ui/account")]) > 10


@pytest.mark.slow
@pytest.mark.parametrize("root", ["/ui/console", "/ui/account"])
async def test_only_forms_with_a_file_are_multipart(
    console: ConsoleService, browser: httpx.AsyncClient, root: str
) -> None:
    """Every other form is urlencoded, which is cheap to read before its token is checked (RX-02)."""
    await console.sign_in(browser, root)
    own = await token_of(browser, root)
    sign_out = f"{root}/sign-out"
    urlencoded = [one for one in FORMS if one.startswith(root) and not one.endswith("/users/do/import")]
    answers = {
        path: (await browser.post(path, files={"csrf": (None, own)}, headers={"Origin": ISSUER})).status_code
        for path in [*urlencoded, sign_out]
        if not path.endswith("/branding/logo")
    }

    assert {path: status for path, status in answers.items() if status != 415} == {}


async def test_logo_is_uploaded_by_its_forms(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    await console.sign_in(browser, "/ui/console")
    own = await token_of(browser, "/ui/console")
    paths = {
        "/ui/console/api/portico.management.v1.PolicyService/SetLabelPolicyLogo": "management",
    }
    fields = {"csrf": own, "f.theme": "LOGO_THEME_DARK"}
    logo = {"f.logo": ("a.png", b"\x89PNG", "image/png")}
    for path in paths:
        await browser.post(path, data=fields, files=logo, headers={"Origin": ISSUER})
    sent = [(method, one) for method, one in console.provider.calls if method.endswith("/SetLabelPolicyLogo")]

    assert sent == [
        (f"portico.{generation}.v1.PolicyService/SetLabelPolicyLogo", {"theme": "LOGO_THEME_DARK", "logo": "iVBORw=="})
        for generation in paths.values()
    ]
