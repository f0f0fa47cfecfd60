"""Why requests were refused: the list of the last ones, and the button that registers a redirect URI."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, send

TRACES = "portico.management.v1.TraceService"
APPS = "portico.management.v1.AppService"
ID = "0123456789abcdef"
PAGE = f"/ui/console/requests/{ID}"
URI = "https://app.example/cb"
KNOWN = "https://app.example/callback"
TRACE: dict[str, Any] = {
    "requestId": ID, "at": "2026-11-23T10:00:00Z", "endpoint": "authorization", "outcome": "TRACE_OUTCOME_REFUSED",
    "text": "The redirect URI is not registered.", "fix": "Register it.", "orgId": "o1", "projectId": "p1", "appId": "a1",
    "checks": [{"name": "client", "passed": True}, {"name": "redirect_uri", "given": URI}],
}  # fmt: skip


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    config = {"clientId": "c1", "redirectUris": [KNOWN], "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"]}
    app = {"id": "a1", "name": "Shop", "oidcConfig": config, "details": {"sequence": "7"}}
    console.provider.answers |= {
        PERMISSIONS: holding("project.app.read", "project.app.write"),
        f"{TRACES}/ListOrgTraces": answering({"result": [TRACE]}),
        f"{TRACES}/GetTrace": answering({"trace": TRACE}),
        f"{APPS}/GetAppByID": answering({"app": app}),
        f"{APPS}/UpdateOIDCAppConfig": answering({}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def test_list_has_reason_correction_and_application(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    page = (await signed_in.get("/ui/console/requests?org=o1")).text
    [asked] = console.sent(f"{TRACES}/ListOrgTraces")

    assert asked["outcome"] == "TRACE_OUTCOME_REFUSED"
    assert "<bdi>Shop</bdi></strong> Sign-in request" in page
    assert "The redirect URI is not registered.</strong> Register it." in page
    assert f'href="{PAGE}?org=o1"' in page


async def test_page_of_a_request_is_in_words(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Endpoint and checks have words of the language, and no name of the API."""
    signed_in.cookies.clear()
    console.provider.claims = {"locale": "de"}
    await console.sign_in(signed_in, "/ui/console")
    page = (await signed_in.get(PAGE)).text

    assert "<dd>Anmeldeanfrage</dd>" in page
    assert "<td>Anwendung</td>" in page
    assert "<td>Weiterleitungsadresse</td>" in page
    assert "redirect_uri" not in page


async def test_uri_of_the_request_is_registered_after_it_was_shown(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """All other settings stay, and the version that was read is sent."""
    trace, shown = [(await signed_in.get(path)).text for path in (PAGE, f"{PAGE}/register")]
    done = await send(signed_in, f"{PAGE}/register")
    [sent] = console.sent(f"{APPS}/UpdateOIDCAppConfig")

    assert f'href="{PAGE}/register"' in trace
    assert f'<code id="register-uri" translate="no" dir="ltr">{URI}</code>' in shown
    assert done.headers["location"].startswith("/ui/console/orgs/o1/projects/p1/apps/a1?said=")
    assert sent == {
        "projectId": "p1", "appId": "a1", "redirectUris": [KNOWN, URI], "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
    }  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"checks": [{"name": "redirect_uri", "given": f"{URI}?x=…"}]},
        {"checks": [{"name": "scope", "given": URI}]},
        {"appId": ""},
    ],
)
async def test_no_other_request_registers_a_uri(
    console: ConsoleService, signed_in: httpx.AsyncClient, change: dict[str, Any]
) -> None:
    """A URI whose query the diagnostics leave out is not complete."""
    console.provider.answers[f"{TRACES}/GetTrace"] = answering({"trace": TRACE | change})
    page = (await signed_in.get(PAGE)).text
    forced = await signed_in.get(f"{PAGE}/register")

    assert "/register" not in page
    assert forced.status_code == 404
