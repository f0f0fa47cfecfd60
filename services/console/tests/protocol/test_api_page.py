"""The page of an API: its scopes, and the applications that may use it."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, send

APPS = "portico.management.v1.AppService"
PAGE = "/ui/console/orgs/o1/projects/p1/apps/a1"


def org_app(project: str, id: str, *apis: str) -> dict[str, Any]:
    config = {"clientId": id, "apis": list(apis)}
    return {"app": {"id": id, "name": id.title(), "oidcConfig": config}, "projectId": project, "projectName": "Web"}


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    config = {
        "clientId": "c1",
        "scopes": [{"scope": "orders.read", "title": "Read"}],
        "resources": ["https://a.example"],
    }
    known = [org_app("p1", "own"), org_app("p3", "mobile", "c1"), org_app("p4", "kiosk")]

    def listed(fields: dict[str, Any], _request: httpx.Request) -> httpx.Response:
        found = [one for one in known if not fields["queries"] or "c1" in one["app"]["oidcConfig"]["apis"]]
        return httpx.Response(200, json={"result": found, "details": {"totalResult": str(len(found))}})

    console.provider.answers |= {
        PERMISSIONS: holding("project.app.read", "project.app.write", "project.grant.read"),
        f"{APPS}/GetAppByID": answering({"app": {"id": "a1", "name": "Orders", "apiConfig": config}}),
        f"{APPS}/ListOrgApps": listed,
        f"{APPS}/AddAppAPI": answering({}),
        f"{APPS}/RemoveAppAPI": answering({}),
        "portico.management.v1.ProjectGrantService/ListProjectGrants": answering(
            {"result": [{"grantedOrgName": "Acme"}]}
        ),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def test_page_has_scopes_and_applications(signed_in: httpx.AsyncClient) -> None:
    """Those of its project have no switch; allowed ones are first; organizations with the project are named."""
    page = (await signed_in.get(PAGE)).text

    assert "https://a.example" in page
    assert "scope=openid orders.read" in page
    assert re.findall(r'name="(client-[^"]+)"( checked)?', page) == [
        ("client-p3/mobile", " checked"),
        ("client-p4/kiosk", ""),
    ]
    assert "<bdi>Own</bdi>" in page
    assert "<bdi>Acme</bdi>" in page


async def test_only_moved_switches_are_changed(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    moved = {"was-p3/mobile": "1", "was-p5/other": "1", "client-p5/other": "on", "client-p4/kiosk": "on"}
    saved = await send(signed_in, f"{PAGE}/clients", page=PAGE, **moved)

    assert saved.status_code == 303
    assert [one["appId"] for one in console.sent(f"{APPS}/AddAppAPI")] == ["kiosk"]
    assert [one["appId"] for one in console.sent(f"{APPS}/RemoveAppAPI")] == ["mobile"]


async def test_as_many_scopes_as_the_api_stores_are_saved(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """A hundred, with texts in a script whose letters take nine bytes in a form."""
    names = {"title": "注文の読み取り", "description": "注文とその履歴を読み取ります。" * 6}
    typed = {
        f"f.scopes.{place}.{name}": text
        for place in range(100)
        for name, text in {"scope": f"s{place}", **names, "roles": "a", "grantedByDefault": "on"}.items()
    }
    console.provider.answers[f"{APPS}/SetAPIScopes"] = answering({})

    answer = await send(signed_in, f"{PAGE}/do/scopes", **typed)

    assert answer.status_code == 303
    assert len(console.sent(f"{APPS}/SetAPIScopes")[0]["scopes"]) == 100
