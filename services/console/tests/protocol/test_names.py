"""Pages show names instead of ids; an object that cannot be read keeps its id."""

from __future__ import annotations

import re

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, refusal

PROJECTS = "portico.management.v1.ProjectService"
APPS = "portico.management.v1.AppService"
GRANTS = "portico.management.v1.UserGrantService"
USER = "portico.user.v2.UserService/GetUserByID"
BASE = "/ui/console/orgs/o1"
UNKNOWN = refusal("not_found", 404, "USER-100", "Not found.")


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers |= {
        PERMISSIONS: holding("project.read", "project.app.read", "user.read", "user.grant.read"),
        f"{PROJECTS}/GetProjectByID": answering({"project": {"id": "p1", "name": "Shop & Co"}}),
        f"{APPS}/GetAppByID": answering({"app": {"id": "a1", "name": "Web"}}),
        USER: answering({"user": {"userId": "u1", "username": "ada"}}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


def crumbs(page: httpx.Response) -> list[str]:
    return re.findall(
        r"<li><a [^>]*>(?:<bdi>)?([^<]+)", page.text.partition('<ol class="crumbs"')[2].partition("</ol>")[0]
    )


async def test_breadcrumbs_have_names(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    named = await signed_in.get(f"{BASE}/projects/p1/apps/a1/keys")
    console.provider.answers[f"{APPS}/GetAppByID"] = UNKNOWN
    unknown = await signed_in.get(f"{BASE}/projects/p1/apps/a1/keys")

    console.provider.answers[f"{APPS}/GetAppByID"] = answering(
        {"app": {"id": "a1", "name": "Web", "oidcConfig": {"clientId": "web"}}}
    )
    page = await signed_in.get(f"{BASE}/projects/p1/apps/a1")

    assert crumbs(named) == ["Projects", "Shop &amp; Co", "Applications", "Web"]
    assert crumbs(page) == ["Projects", "Shop &amp; Co", "Applications"]
    assert crumbs(unknown) == ["Projects", "Shop &amp; Co", "Applications", "a1"]


async def test_role_grants_name_their_projects(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A list reads the name of each project once."""
    rows = [{"id": f"g{at}", "orgId": "o1", "userId": "u1", "projectId": "p1", "roleKeys": ["r"]} for at in range(3)]
    console.provider.answers[f"{GRANTS}/ListUserGrants"] = answering({"result": rows, "details": {"totalResult": "3"}})
    page = await signed_in.get(f"{BASE}/users/u1/grants")

    assert page.text.count("<bdi>Shop &amp; Co</bdi>") == 3
    assert len(console.sent(f"{PROJECTS}/GetProjectByID")) == 1


async def test_trace_has_names(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Organization, project, application and user; one that cannot be read is shown by its id."""
    id = "0" * 32
    trace = {"requestId": id, "orgId": "o1", "projectId": "p1", "appId": "a1", "userId": "u1"}
    console.provider.answers |= {
        "portico.management.v1.TraceService/GetTrace": answering({"trace": trace}),
        "portico.management.v1.OrganizationService/GetMyOrg": UNKNOWN,
    }
    page = await signed_in.get(f"/ui/console/requests/{id}")
    shown = re.findall(r"<bdi[^>]*>([^<]+)</bdi>", page.text.partition('<dl class="facts">')[2].partition("</dl>")[0])

    assert shown == ["o1", "Shop &amp; Co", "Web", "ada"]
