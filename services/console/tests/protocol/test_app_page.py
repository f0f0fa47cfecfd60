from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding


@pytest.mark.parametrize(
    ("config", "lacks"),
    [
        ({"redirectUris": []}, True),
        ({"redirectUris": [], "grantTypes": ["OIDC_GRANT_TYPE_DEVICE_CODE"]}, False),
        ({}, False),
    ],
)
async def test_missing_redirect_uri_is_named(
    console: ConsoleService, browser: httpx.AsyncClient, *, config: dict[str, Any], lacks: bool
) -> None:
    """Without a redirect URI its page leads to the form for one and does not wait for a sign-in."""
    app = {
        "id": "a1",
        "name": "Shop",
        "oidcConfig": {"clientId": "c1", "redirectUris": ["https://a.example/cb"], **config},
    }
    console.provider.answers |= {
        "portico.management.v1.AppService/GetAppByID": answering({"app": app}),
        PERMISSIONS: holding("project.app.write"),
    }
    await console.sign_in(browser, "/ui/console")
    page = (await browser.get("/ui/console/orgs/o1/projects/p1/apps/a1")).text

    assert ('<a href="/ui/console/orgs/o1/projects/p1/apps/a1/do/settings">Add a redirect URI</a>' in page) is lacks
    assert ("Waiting for the first sign-in" in page) is not lacks


@pytest.mark.parametrize(("dpop", "has_code"), [("DPOP_REQUIRED", False), ("DPOP_ALLOWED", True)])
async def test_no_code_is_shown_that_sends_no_required_proof(
    console: ConsoleService, browser: httpx.AsyncClient, *, dpop: str, has_code: bool
) -> None:
    config = {"clientId": "c1", "redirectUris": ["https://a.example/cb"], "dpop": dpop}
    app = {"id": "a1", "name": "Shop", "oidcConfig": config}
    console.provider.answers["portico.management.v1.AppService/GetAppByID"] = answering({"app": app})
    await console.sign_in(browser, "/ui/console")
    page = (await browser.get("/ui/console/orgs/o1/projects/p1/apps/a1?framework=flask")).text

    assert ("authorize_access_token" in page, 'id="needs-proofs"' in page) == (has_code, not has_code)
