from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_fakes.console_service import ConsoleService, refusal

PERMISSIONS = "portico.management.v1.CallerService/ListMyPermissions"
SEARCH = "portico.management.v1.SearchService/Search"
BASE = "/ui/console/orgs/o1/search"


def result(kind: str, id: str, org: str = "o1", **more: Any) -> dict[str, Any]:
    return {"kind": f"SEARCH_KIND_{kind}", "id": id, "orgId": org, "orgName": f"Org {org}", "title": id, **more}


GRACE = result("HUMAN", "u/1", title="Gräce Hopper", subtitle="g@x.example", matched=["Gräce"], otherMatch="+4179")
RESULTS = [
    GRACE,
    result("APP", "a1", projectId="p1", subtitle="client-1"),
    result("PROJECT", "p1"),
    result("GROUP", "g1"),
    result("ORG", "o1"),
]
ELSEWHERE = [*RESULTS, result("HUMAN", "u2", "o2"), result("ORG", "o2", "o2")]


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    def search(_fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
        inside = "x-service-orgid" in request.headers
        body = {"result": RESULTS, "more": ["SEARCH_KIND_HUMAN"]} if inside else {"result": ELSEWHERE}
        return httpx.Response(200, json=body)

    org = {"org": {"id": "o1", "name": "Org"}, "permissions": [{"permission": "user.read", "roles": ["R"]}]}
    console.provider.answers |= {SEARCH: search, PERMISSIONS: lambda _f, _r: httpx.Response(200, json=org)}
    await console.sign_in(browser, "/ui/console")
    return browser


async def test_results_are_grouped_and_each_is_shown_once(signed_in: httpx.AsyncClient) -> None:
    """The organization of the page comes first; its objects are not repeated among those of others."""
    page = (await signed_in.get(BASE, params={"q": "gra"})).text
    here, elsewhere = page.split('id="elsewhere"')

    assert here.count("u%252F1") == 1
    assert "u%252F1" not in elsewhere
    assert [
        f'href="/ui/console/orgs/{path}"' in here
        for path in ("o1/projects/p1/apps/a1", "o1/projects/p1", "o1/groups/g1", "o1")
    ]
    assert 'href="/ui/console/orgs/o2/users/u2"' in elsewhere
    assert "Org o2" in elsewhere
    assert "7 results" in page


async def test_matching_words_are_marked(signed_in: httpx.AsyncClient) -> None:
    """A word is marked as it is written; a value that is not shown otherwise is added."""
    page = (await signed_in.get(BASE, params={"q": "gra"})).text

    assert "<mark>Gräce</mark> Hopper" in page
    assert "<mark><bdi>+4179</bdi></mark>" in page


async def test_kind_with_more_results_leads_to_its_list(signed_in: httpx.AsyncClient) -> None:
    """The list searches for the same words."""
    page = (await signed_in.get(BASE, params={"q": "gra hop"})).text

    assert 'href="/ui/console/orgs/o1/users?q=gra%20hop"' in page


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ("First 1 of 290", "290 results")),
        ({"atLeast": True}, ("First 1 of more than 290", "More than 290 results")),
    ],
)
async def test_numbers_of_matches_are_shown(
    console: ConsoleService, signed_in: httpx.AsyncClient, more: dict[str, Any], expected: tuple[str, ...]
) -> None:
    """A kind shows how many of its matches are on the page; where counting ended, the page states a lower bound."""

    def counted(_fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
        count = {"kind": "SEARCH_KIND_HUMAN", "matches": 290} | more
        body = {"result": [GRACE], "more": ["SEARCH_KIND_HUMAN"], "counts": [count]}
        return httpx.Response(200, json=body if "x-service-orgid" in request.headers else {})

    console.provider.answers[SEARCH] = counted
    page = (await signed_in.get(BASE, params={"q": "gra"})).text

    assert all(text in page for text in expected)


@pytest.mark.parametrize(
    ("typed", "title", "href"),
    [
        ("servi", "Service users", "/ui/console/orgs/o1/machines"),
        ("emplo", "Users", "/ui/console/orgs/o1/users"),
        ("sers serv", "Service users", "/ui/console/orgs/o1/machines"),
    ],
)
async def test_pages_are_found_by_title_and_synonym(
    console: ConsoleService, signed_in: httpx.AsyncClient, typed: str, title: str, href: str
) -> None:
    """By any part of the title, and by the beginnings of other words for the same."""
    console.provider.answers[SEARCH] = lambda _f, _r: httpx.Response(200, json={})
    page = (await signed_in.get(BASE, params={"q": typed})).text
    found = page.split('id="results"')[1]

    assert f'href="{href}"' in found
    assert title in found.replace("<mark>", "").replace("</mark>", "")


async def test_settings_are_found_with_their_place(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Only by users who may see them, as the navigation."""
    console.provider.answers[SEARCH] = lambda _f, _r: httpx.Response(200, json={})
    without = await signed_in.get(BASE, params={"q": "passkey"})
    org = {"org": {"id": "o1", "name": "Org"}, "permissions": [{"permission": "policy.read", "roles": ["R"]}]}
    console.provider.answers[PERMISSIONS] = lambda _f, _r: httpx.Response(200, json=org)
    found = (await signed_in.get(BASE, params={"q": "passkey"})).text

    assert 'id="search-empty"' in without.text
    assert 'href="/ui/console/orgs/o1/rules/login#factor-passkey"' in found
    assert "Sign-in rules › Sign-in" in found


async def test_suggestions_are_links_to_results(signed_in: httpx.AsyncClient) -> None:
    """A part of a page for the script: a list box with groups of options, the last of which has all results."""
    page = (await signed_in.get(f"{BASE}/suggestions", params={"q": "gra hop"})).text

    assert page.count('role="option"') == 8
    assert 'href="/ui/console/orgs/o1/users/u%252F1"' in page
    assert 'href="/ui/console/orgs/o1/search?q=gra%20hop"' in page
    assert "<nav" not in page


async def test_page_without_words_searches_nothing(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """An empty search box shows what can be searched for."""
    page = await signed_in.get(BASE, params={"q": "  "})

    assert 'id="search-hint"' in page.text
    assert SEARCH not in [method for method, _fields in console.provider.calls]


async def test_incomplete_index_is_reported(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """While the index is being built the page states that instead of "No results."."""
    console.provider.answers[SEARCH] = refusal("unavailable", 503, "USER-015", "The search index is being built.")
    page = await signed_in.get(BASE, params={"q": "gra"})

    assert page.status_code == 200
    assert "The search index is being built." in page.text
    assert "No results" not in page.text


async def test_typed_text_is_escaped(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Neither the typed text nor a name is markup, also where a part of it is marked."""
    console.provider.answers[SEARCH] = lambda _f, _r: httpx.Response(
        200, json={"result": [result("HUMAN", "u3", title="<b>x</b> (", matched=["b", "("])]}
    )
    page = await signed_in.get(BASE, params={"q": '"><script>'})

    assert "<script>&#34;" not in page.text
    assert "<b>" not in page.text
    assert '"><script>' not in page.text.replace("defer></script>", "")
