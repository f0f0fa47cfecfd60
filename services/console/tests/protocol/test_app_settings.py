"""The settings of an application, a form with several pages."""

from __future__ import annotations

import re

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, send

APPS = "portico.management.v1.AppService"
PAGE = "/ui/console/orgs/o1/projects/p1/apps/a1"
CONFIG = {
    "clientId": "c1", "redirectUris": ["https://a.example/cb"], "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
    "responseTypes": ["OIDC_RESPONSE_TYPE_CODE"], "logoUri": "https://a.example/logo.png", "clockSkew": "2s", "hintedLogout": True,
    "apis": ["c9"], "allowedOrigins": ["https://a.example"], "noneCompliant": True,
}  # fmt: skip


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    app = {"id": "a1", "name": "Shop", "oidcConfig": CONFIG, "details": {"sequence": "7"}}
    orders = {"app": {"id": "a9", "name": "Orders", "apiConfig": {"clientId": "c9"}}, "projectId": "p9"}
    shop = {"app": {"id": "a1", "name": "Shop", "oidcConfig": CONFIG}, "projectId": "p1"}
    console.provider.answers |= {
        PERMISSIONS: holding("project.app.read", "project.app.write"),
        f"{APPS}/GetAppByID": answering({"app": app}),
        f"{APPS}/ListOrgApps": answering({"result": [orders, shop]}),
        f"{APPS}/UpdateOIDCAppConfig": answering({}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def test_page_of_the_form_keeps_the_settings_of_the_others(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The operation replaces all settings: those without an input are sent as they are stored."""
    await send(
        signed_in, f"{PAGE}/do/settings-appearance", **{"f.policyUri": "https://a.example/privacy", "sequence": "7"}
    )
    [sent] = console.sent(f"{APPS}/UpdateOIDCAppConfig")

    assert sent == {
        "projectId": "p1", "appId": "a1", "policyUri": "https://a.example/privacy",
        "redirectUris": CONFIG["redirectUris"], "grantTypes": CONFIG["grantTypes"], "responseTypes": CONFIG["responseTypes"],
        "clockSkew": "2s", "hintedLogout": True, "apis": ["c9"],
    }  # fmt: skip


async def test_pages_are_links_and_one_action(signed_in: httpx.AsyncClient) -> None:
    app = (await signed_in.get(PAGE)).text
    form = (await signed_in.get(f"{PAGE}/do/settings-tokens")).text

    assert re.findall(r'href="[^"]*/do/(settings[^"]*)"', app) == ["settings"]
    assert re.findall(r'href="[^"]*/do/(settings[^"]*)"( aria-current="page")?', form) == [
        ("settings", ""),
        ("settings-tokens", ' aria-current="page"'),
        ("settings-logout", ""),
        ("settings-appearance", ""),
        ("settings-advanced", ""),
    ]


async def test_apis_are_chosen_by_name(signed_in: httpx.AsyncClient) -> None:
    form = (await signed_in.get(f"{PAGE}/do/settings")).text

    assert re.findall(r'name="f\.apis\.(\w+)" checked> <span>(\w+)', form) == [("c9", "Orders")]
    assert "f.apis." in form
    assert form.count('name="f.apis.') == 1
