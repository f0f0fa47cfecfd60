"""The claim rules on the page of an application (decision 0141)."""

from __future__ import annotations

from typing import Any, Final

import httpx
import pytest
from portico_console.console_app.claim_rules.panel import EMAIL_AS_USER_NAME
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, send

BASE: Final = "/ui/console/orgs/o1/projects/p1/apps/a1"
APPS: Final = "portico.management.v1.AppService"
TEAM: Final = {"claim": "team", "source": "CLAIM_SOURCE_GROUPS", "key": "team-", "in": ["CLAIM_PLACE_USERINFO"]}


async def page_with(console: ConsoleService, browser: httpx.AsyncClient, *rules: dict[str, Any], may: str) -> str:
    app = {"id": "a1", "name": "Shop", "details": {"sequence": "7"}, "oidcConfig": {"clientId": "c1"}}
    if rules:
        app["oidcConfig"] = {"clientId": "c1", "claimRules": list(rules)}
    console.provider.answers |= {f"{APPS}/GetAppByID": answering({"app": app}), PERMISSIONS: holding(may)}
    console.provider.answers[f"{APPS}/SetAppClaimRules"] = answering({})
    await console.sign_in(browser, "/ui/console")
    return (await browser.get(BASE)).text


async def test_rules_are_listed_with_their_places(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    page = await page_with(console, browser, TEAM, {"claim": "sparse"}, may="project.app.read")

    assert '<code translate="no" dir="ltr">team-</code>' in page
    assert "Userinfo" in page
    assert 'id="edit-claims"' not in page
    assert 'id="email-as-user-name"' not in page


async def test_email_address_becomes_the_user_name(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """One click keeps the other rules, and names the version that they were read in."""
    page = await page_with(console, browser, TEAM, may="project.app.write")
    assert 'id="email-as-user-name"' in page
    answer = await send(browser, f"{BASE}/claims/email", page=BASE)
    [sent] = console.sent(f"{APPS}/SetAppClaimRules")

    assert (answer.status_code, sent["claimRules"]) == (303, [TEAM, dict(EMAIL_AS_USER_NAME)])
    assert console.provider.requests[-1].headers["if-match"] == '"7"'


@pytest.mark.parametrize("rules", [(dict(EMAIL_AS_USER_NAME),)])
async def test_button_is_not_shown_for_an_existing_rule(
    console: ConsoleService, browser: httpx.AsyncClient, rules: tuple[dict[str, Any], ...]
) -> None:
    assert 'id="email-as-user-name"' not in await page_with(console, browser, *rules, may="project.app.write")
