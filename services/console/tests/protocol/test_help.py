"""Help: each page links to a guide, which is there."""

from __future__ import annotations

from importlib.resources import files

import httpx
import pytest
from portico_console.console_app.screens.guides import HELP
from portico_console.console_app.screens.table import BY_KEY
from portico_fakes.console_service import ConsoleService

from .test_providers import BASE, IDPS, answering


def test_every_target_exists() -> None:
    """A guide is there in the version of this installation, and has the section that a page links to."""
    guides = files("portico_console") / "guides"
    missing = []
    for place, target in HELP.items():
        page = guides / f"{target.guide}.html"
        text = page.read_text() if page.is_file() else ""
        if not text or (target.section and f'id="{target.section}"' not in text):
            missing.append((place, target))

    assert missing == []


def test_every_list_and_rule_has_help() -> None:
    assert set(BY_KEY) - set(HELP) == set()


@pytest.fixture
async def reader(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers |= {
        "portico.management.v1.CallerService/ListMyPermissions": answering(
            {
                "permissions": [{"permission": "org.idp.read", "roles": ["ORG_OWNER"]}],
                "org": {"id": "o1", "name": "Home"},
            }
        ),
        f"{IDPS}/ListProviders": answering({"result": []}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def test_page_links_to_its_guide(reader: httpx.AsyncClient) -> None:
    """The link opens another tab, so that nothing that was typed is lost."""
    page = (await reader.get(f"{BASE}/idps")).text
    guide = await reader.get("/ui/console/help/identity-providers?org=o1")

    assert '<a id="help" href="/ui/console/help/identity-providers?org=o1" target="_blank"' in page
    assert '<h1 id="identity-providers">Identity providers</h1>' in guide.text
    assert 'id="help"' not in guide.text
    assert " style=" not in guide.text


@pytest.mark.parametrize("name", ["nothing", "backup", "..%2fconsole", "console.html"])
async def test_only_linked_guides_are_shown(reader: httpx.AsyncClient, name: str) -> None:
    assert (await reader.get(f"/ui/console/help/{name}")).status_code == 404
