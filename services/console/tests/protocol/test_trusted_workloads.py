"""The page of the trusted workloads of a service user or an application (decision 0152)."""

from __future__ import annotations

from typing import Any, Final

import httpx
from portico_console.console_app.workloads.templates import TEMPLATES
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, send
from portico_harness.rows import row

BASE: Final = "/ui/console/orgs/o1/machines/u1/workloads"
MACHINES: Final = "portico.management.v1.ServiceUserService"
APPS: Final = "portico.management.v1.AppService"
STORED: Final = {
    "name": "orders",
    "issuer": "https://kubernetes.example.com",
    "conditions": [{"claim": "sub", "value": "system:serviceaccount:shop:", "match": "CONDITION_MATCH_PREFIX"}],
}
USE: Final = {"name": "orders", "time": "2026-11-30T08:00:00Z"}
REFUSED: Final = {
    "time": "2026-11-30T09:00:00Z",
    "claims": ["sub=<b>system:serviceaccount:dev:orders</b>", "actor"],
    "given": "sub=system:serviceaccount:dev:orders",
    "wanted": ["sub=system:serviceaccount:shop:\u2026"],
    "reason": "The claim does not fulfil the condition of the trusted workload.",
}


async def opened(console: ConsoleService, browser: httpx.AsyncClient, may: str = "user.write", **members: Any) -> None:
    found = {"details": {"sequence": "7"}, "trustedWorkloads": [STORED], "lastUses": [USE], **members}
    console.provider.answers |= {
        f"{MACHINES}/GetMachineTrustedWorkloads": answering(found),
        f"{APPS}/GetAppTrustedWorkloads": answering({"details": {"sequence": "7"}}),
        f"{APPS}/GetAppByID": answering({"app": {"id": "a1", "name": "Shop", "apiConfig": {"clientId": "c1"}}}),
        f"{MACHINES}/SetMachineTrustedWorkloads": answering({}),
        PERMISSIONS: holding("user.read", "project.app.read", may),
    }
    await console.sign_in(browser, "/ui/console")


async def test_page_shows_workloads_and_the_last_refused_token(
    console: ConsoleService, browser: httpx.AsyncClient
) -> None:
    """Texts of the token are escaped; what it had and what was wanted are side by side."""
    await opened(console, browser, lastRefused=REFUSED)

    page = (await browser.get(BASE)).text

    assert '<code translate="no" dir="ltr">system:serviceaccount:shop:</code>' in page
    assert "Begins with" in page
    assert "&lt;b&gt;system:serviceaccount:dev:orders&lt;/b&gt;" in page
    assert "<b>system" not in page
    assert 'id="do-change"' in page


async def test_readers_get_no_form(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """Without the permission to change, there is no button, and no template to add."""
    await opened(console, browser, may="user.read")

    page = (await browser.get(BASE)).text

    assert 'id="do-change"' not in page
    assert 'id="add-github"' not in page
    assert 'id="read-only"' in page


async def test_templates_have_code_for_the_client(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """Each names the issuer of this installation and the client, and warns of what is too wide."""
    await opened(console, browser)
    for path, client_id in ((BASE, "u1"), ("/ui/console/orgs/o1/projects/p1/apps/a1/workloads", "c1")):
        page = (await browser.get(path)).text
        for template in TEMPLATES:
            with row(path, template.word):
                part = page.split(f'id="template-{template.word}"')[1].split("</details>")[0]
                assert f"client_id={client_id}" in part
                assert "{issuer}" not in part
                assert 'class="notice"' in part


async def test_a_template_starts_another_entry(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The stored entries stay in the form, and the version of the page is sent with the change."""
    await opened(console, browser)

    form = (await browser.get(f"{BASE}/do/change?template=github")).text

    assert "system:serviceaccount:shop:" in form
    assert "repo:OWNER/REPOSITORY:ref:refs/heads/main" in form
    assert 'value="7"' in form


async def test_rows_of_conditions_are_sent(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    await opened(console, browser)
    typed = {
        "f.trustedWorkloads.0.name": "ci",
        "f.trustedWorkloads.0.issuer": "https://gitlab.com",
        "f.trustedWorkloads.0.conditions.0.claim": "sub",
        "f.trustedWorkloads.0.conditions.0.value": "project_path:acme/shop:",
        "f.trustedWorkloads.0.conditions.0.match": "CONDITION_MATCH_PREFIX",
        "sequence": "7",
    }

    answer = await send(browser, f"{BASE}/do/change", page=f"{BASE}/do/change", **typed)
    [sent] = console.sent(f"{MACHINES}/SetMachineTrustedWorkloads")

    assert answer.status_code == 303
    assert sent["trustedWorkloads"] == [
        {
            "name": "ci",
            "issuer": "https://gitlab.com",
            "conditions": [{"claim": "sub", "value": "project_path:acme/shop:", "match": "CONDITION_MATCH_PREFIX"}],
        }
    ]
