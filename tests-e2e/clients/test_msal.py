"""MSAL for browsers, which accepts no issuer without https."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page
from portico_scenarios.page_clients import PageClient, sign_in
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]


async def test_page_with_msal_signs_in(secure_tab: Page, secure: World, tmp_path: Path) -> None:
    """The finished code, unpatched, signs a user in and gets the name from the id_token (decision 0118)."""
    assert await sign_in(secure, secure_tab, PageClient("msal.js", "msal-browser"), tmp_path) == "Hello Alice Liddell"
