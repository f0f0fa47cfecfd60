"""Stored markup stays text: every screen with markup in every text of the management API."""

from __future__ import annotations

import re

import httpx
import pytest
from portico_console.console_app.screens.screen import Screen
from portico_console.console_app.screens.table import SCREENS
from portico_fakes.console_service import ConsoleService
from portico_fakes.filled_answers import answering_all

HOSTILE = (
    "javascript:alert(1)//<img/src=x/onerror=alert(1)>\"'><script>alert(1)</script>"
    "{{7*7}}{%raw%}</title><svg/onload=alert(1)>"
)
"""A URL, which begins with its scheme and has no spaces, and all other markup."""

_HREF = re.compile(r'(?:href|action|formaction|src)="([^"]*)"')


def addresses(screen: Screen) -> list[str]:
    """Returns the addresses of the list, the object and every action."""
    parts = dict.fromkeys(re.findall(r"\{(\w+)\}", screen.object_path), "x")
    found = [screen.path] if screen.listing else []
    found += [screen.object_path] if screen.part or not screen.listing else []
    found += [f"{screen.path}/do/{one.word}" for one in screen.create if not one.at]
    if screen.getting is not None:
        found += [f"{screen.object_path}/do/{one.word}" for one in screen.actions]
    return ["/ui/console" + one.format_map(parts) for one in found]


_USER = "/ui/console/orgs/x/users/x"
BY_HAND = [
    "/ui/console/api",
    "/ui/console/orgs/x",
    "/ui/console/orgs/x/audit",
    "/ui/console/orgs/x/search?q=x",
    "/ui/console/orgs/x/providers/new",
    "/ui/console/orgs/x/users/do/new",
    "/ui/console/instance/audit",
    f"{_USER}/sign-in",
    f"{_USER}/access",
    f"{_USER}/history",
    f"{_USER}/lost-device",
]


@pytest.mark.slow
async def test_markup_in_responses_is_text_on_every_page(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """Neither a tag nor a script URL results, and the policy forbids both anyway."""
    answering_all(console, HOSTILE)
    await console.sign_in(browser, "/ui/console")
    wrong, shown, pages = [], 0, 0
    for path in [one for screen in SCREENS for one in addresses(screen)] + BY_HAND:
        page = await browser.get(path)
        assert page.status_code in (200, 404), f"{path}: {page.status_code}"
        pages += 1
        shown += "&lt;" in page.text
        raw = any(tag in page.text for tag in ("<img/src=x", "<script>alert", "<svg/onload"))
        linked = any(href.lower().startswith("javascript:") for href in _HREF.findall(page.text))
        if raw or linked or any("49" in one for one in re.findall(r"<h1[^>]*>(.*?)</h1>", page.text, re.DOTALL)):
            wrong.append(path)
        policy = page.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy

    assert wrong == []
    assert pages > 200
    assert shown > 100


@pytest.mark.slow
async def test_absent_values_are_empty_on_every_page(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """JSON omits what is false, 0 or the first of an enum, and no page relies on it."""
    answering_all(console, "x", sparse=True)
    await console.sign_in(browser, "/ui/console")
    paths = [one for screen in SCREENS for one in addresses(screen)] + BY_HAND

    assert [path for path in paths if (await browser.get(path)).status_code not in (200, 404)] == []
