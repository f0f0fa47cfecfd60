"""The frame of the console's pages: navigation, switcher, and the organization that pages around it keep."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import ConsoleService, answering

PERMISSIONS = "portico.management.v1.CallerService/ListMyPermissions"
TRACE = "portico.management.v1.TraceService/GetTrace"
ID = "0" * 31 + "a"


def permissions(fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
    """The requested organization, or the user's own; the instance for those who administrate it."""
    org = request.headers.get("x-service-orgid", "") or "own"
    held = [{"permission": "user.read", "roles": ["SOME_ROLE"], "everywhere": False}]
    return httpx.Response(200, json={"org": {"id": org, "name": f"Org {org}"}, "permissions": held})


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers[PERMISSIONS] = permissions
    await console.sign_in(browser, "/ui/console")
    return browser


def links(page: httpx.Response) -> set[str]:
    nav = page.text.partition('<nav class="rail"')[2].partition("</nav>")[0]
    return set(re.findall(r'href="([^"]+)"', nav))


@pytest.mark.parametrize("path", ["/all", "/api", "/api?q=user", "/requests", f"/requests/{ID}"])
async def test_pages_around_keep_the_organization(signed_in: httpx.AsyncClient, path: str) -> None:
    """The navigation is that of the organization the user came from, on pages that belong to none."""
    page = await signed_in.get(f"/ui/console{path}{'&' if '?' in path else '?'}org=o2")

    assert {"/ui/console/orgs/o2/users", "/ui/console/api?org=o2", "/ui/console/requests?org=o2"} <= links(page)


async def test_pages_around_show_the_own_organization(signed_in: httpx.AsyncClient) -> None:
    """Without an organization to keep, the navigation is that of the user's own."""
    assert "/ui/console/orgs/own/users" in links(await signed_in.get("/ui/console/api"))


@pytest.mark.parametrize("org", ["My realm", "a/b", "50%", "x?y#z"])
async def test_links_lead_to_an_organization_with_any_id(
    console: ConsoleService, signed_in: httpx.AsyncClient, org: str
) -> None:
    """Ids of converted organizations are names, and the API gets each as it is."""
    asked: list[str] = []

    def held(fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
        asked.append(request.headers.get("x-service-orgid", ""))
        return permissions(fields, request)

    orgs = {"result": [{"id": org, "name": "One"}], "details": {"totalResult": "1"}}
    console.provider.answers |= {
        "portico.management.v1.CallerService/ListMyOrgs": lambda _fields, _request: httpx.Response(200, json=orgs),
        PERMISSIONS: held,
    }
    home = await signed_in.get("/ui/console")
    listed = await signed_in.get("/ui/console/all")
    [entry] = re.findall(r'<td><a href="(/ui/console/orgs/[^"]+)"', listed.text)
    page = await signed_in.get(entry)
    users = await signed_in.get(f"{entry}/users")
    around = await signed_in.get(next(one for one in links(users) if "/api?" in one).replace("&amp;", "&"))
    asked.clear()
    pages = [await signed_in.get(one) for one in sorted(links(page) | links(users)) if "/orgs/" in one]

    assert home.headers["location"] == entry
    assert around.text.count(f'name="org" value="{org}"') == 1
    assert len(pages) > 2
    assert {one.status_code for one in pages} == {200}
    assert {*asked} == {org}


@pytest.mark.parametrize(("permission", "offered"), [("org.create", True), ("org.read", False)])
async def test_list_of_organizations_offers_to_create_one(
    console: ConsoleService, signed_in: httpx.AsyncClient, *, permission: str, offered: bool
) -> None:
    """The list of all organizations has the action of the instance's list, for those who may perform it."""
    held = [{"permission": permission, "roles": ["IAM_ORG_MANAGER"], "everywhere": True}]
    console.provider.answers |= {
        "portico.management.v1.CallerService/ListMyOrgs": answering({"details": {"totalResult": "0"}}),
        PERMISSIONS: answering({"org": {"id": "own", "name": "Own"}, "permissions": held, "instance": True}),
    }
    page = await signed_in.get("/ui/console/all")

    assert ('href="/ui/console/instance/orgs/do/new"' in page.text) is offered


async def test_links_of_the_api_keep_the_organization(signed_in: httpx.AsyncClient) -> None:
    """Services, operations and the search of the API lead on with the organization."""
    services = (await signed_in.get("/ui/console/api?org=o2")).text
    found = (await signed_in.get("/ui/console/api?q=AddProject&org=o2")).text

    assert "/ui/console/api?service=portico.management.v1.ProjectService&amp;org=o2" in services
    assert '<input type="hidden" name="org" value="o2">' in services
    assert "/ui/console/api/portico.management.v1.ProjectService/AddProject?org=o2" in found


async def test_diagnostics_show_the_organization_of_the_request(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """A request that belongs to an organization is shown in its navigation."""
    trace = {"requestId": ID, "orgId": "o3", "outcome": "TRACE_OUTCOME_ISSUED", "at": "2026-01-01T00:00:00Z"}
    console.provider.answers[TRACE] = lambda _fields, _request: httpx.Response(200, json={"trace": trace})

    assert "/ui/console/orgs/o3/users" in links(await signed_in.get(f"/ui/console/requests/{ID}"))


async def test_navigation_has_no_actions_and_few_groups(signed_in: httpx.AsyncClient) -> None:
    """At most eight groups, each with an icon, and destinations only."""
    page = await signed_in.get("/ui/console/orgs/o1")
    groups = re.findall(r'<details class="entries".*?</details>', page.text, re.DOTALL)

    assert 1 < len(groups) <= 8
    assert all("<svg" in group for group in groups)
    assert not [one for one in links(page) if "/new" in one or "/do/" in one]


async def test_navigation_follows_the_content(signed_in: httpx.AsyncClient) -> None:
    """Keyboards and screen readers reach the content first."""
    page = (await signed_in.get("/ui/console/orgs/o1")).text

    assert page.index('href="#content"') < page.index("<main") < page.index("<nav")


@pytest.mark.parametrize("path", ["/ui/console/static/nothing", "/ui/console/static/previews/nothing.css"])
async def test_unknown_static_files_are_not_found(browser: httpx.AsyncClient, path: str) -> None:
    assert (await browser.get(path)).status_code == 404


@pytest.mark.parametrize("id", ["%250d%250aX-Other:%2520x", "%250a", "%2500"])
async def test_organization_that_no_header_can_name_is_unknown(signed_in: httpx.AsyncClient, id: str) -> None:
    """Its id is in a header of calls; a line break in it must be neither a header nor an error of ours (RX-12)."""
    pages = [await signed_in.get(f"/ui/console/orgs/{id}{part}") for part in ("", "/users", "/users/do/new")]
    queried = await signed_in.get(
        f"/ui/console/api?service=portico.management.v1.ProjectService&org={id.replace('%25', '%')}"
    )

    assert [one.status_code for one in (*pages, queried)] == [404] * 4


@pytest.mark.parametrize("word", ["nothing", "change"])
async def test_page_of_a_secret_that_no_action_gives_is_unknown(signed_in: httpx.AsyncClient, word: str) -> None:
    """The word is of the URL; an action that gives no secret has no such page either (RX-12)."""
    pages = [await signed_in.get(f"/ui/console/orgs/o1/projects{part}/do/{word}/once") for part in ("", "/p1")]

    assert [one.status_code for one in pages] == [404] * 2
