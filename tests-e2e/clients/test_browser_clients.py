"""Further client libraries in Chromium; `test_browser_libraries.py` has oidc-client and oidc-client-ts."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page
from portico_scenarios.page_clients import PageClient, sign_in
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]

CLIENTS = (
    PageClient("keycloak.js", jwt=True),
    PageClient("okta.js"),
    PageClient("react.jsx", "react-oidc-context"),
    PageClient("oidc_spa.js", "oidc-spa", callback="/"),
    PageClient("oauth4webapi.js"),
    PageClient("appauth.js"),
    PageClient("angular.js"),
)


@pytest.mark.parametrize("one", CLIENTS, ids=[one.name for one in CLIENTS])
async def test_page_signs_in(tab: Page, world: World, tmp_path: Path, one: PageClient) -> None:
    """An unpatched library with the lines of the guide signs a user in and gets the name (decision 0118)."""
    assert await sign_in(world, tab, one, tmp_path) == "Hello Alice Liddell"
