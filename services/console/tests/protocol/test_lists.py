"""Lists: order, pages and what is selected are in the address."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from portico_console.console_app.screens.table import SCREENS
from portico_contracts.management import METHODS
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import ISSUER, ConsoleService, refusal

PERMISSIONS = "portico.management.v1.CallerService/ListMyPermissions"
LIST = "portico.management.v1.UserService/ListUsers"
DELETE = "portico.user.v2.UserService/DeleteUser"
LOCK = "portico.user.v2.UserService/LockUser"
USERS = "/ui/console/orgs/o1/users"


def answering(body: dict[str, Any]) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return lambda _fields, _request: httpx.Response(200, json=body)


def users(count: int) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    def answer(fields: dict[str, Any], _request: httpx.Request) -> httpx.Response:
        page = fields["query"]
        numbers = range(int(page["offset"]), min(int(page["offset"]) + page["limit"], count))
        found = [
            {"id": f"u{one}", "userName": f"user{one}", "human": {"email": {"email": f"u{one}@mail.example"}}}
            for one in numbers
        ]
        return httpx.Response(200, json={"result": found, "details": {"totalResult": str(count)}})

    return answer


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    held = [{"permission": one, "roles": ["SOME_ROLE"]} for one in ("user.read", "user.write", "user.delete")]
    console.provider.answers |= {
        PERMISSIONS: answering({"org": {"id": "o1", "name": "Org"}, "permissions": held}),
        LIST: users(2134),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


def calls(console: ConsoleService, method: str) -> list[dict[str, Any]]:
    return [fields for name, fields in console.provider.calls if name == method]


def hrefs(page: httpx.Response) -> dict[str, str]:
    links = re.findall(r'<a[^>]* href="([^"]+)"[^>]*>([^<]+)</a>', page.text)
    return {text: html.unescape(href) for href, text in links}


def hidden(page: httpx.Response, form: str) -> dict[str, str]:
    part = page.text.partition(f'id="{form}"')[2].partition("</form>")[0]
    found = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', part)
    return {name: html.unescape(value) for name, value in found}


async def test_columns_sort_both_ways(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A heading sorts by its column, then the other way round, and keeps search, filter and page size."""
    start = await signed_in.get(f"{USERS}?q=ada&in=words&filter=active&size=25&page=3")
    first = await signed_in.get(hrefs(start)["Created"])
    second = await signed_in.get(hrefs(first)["Created"])
    asked = calls(console, LIST)

    assert [one["sortingColumn"] for one in asked] == [
        "USER_FIELD_NAME_DISPLAY_NAME",
        *["USER_FIELD_NAME_CREATION_DATE"] * 2,
    ]
    assert [one["query"].get("asc", False) for one in asked] == [True, True, False]
    assert [one["query"]["offset"] for one in asked] == ["50", "0", "0"]
    assert all(one["query"]["limit"] == 25 and len(one["queries"]) == 4 for one in asked)
    assert re.findall(r'aria-sort="(\w+)"><a[^>]*>(\w+)', start.text + first.text + second.text) == [
        ("ascending", "Name"),
        ("ascending", "Created"),
        ("descending", "Created"),
    ]


async def test_pages_are_numbered(signed_in: httpx.AsyncClient) -> None:
    """The pager names the first, last and nearby pages, and the count is beside it."""
    page = await signed_in.get(f"{USERS}?page=7&sort=-created")
    found = hrefs(page)

    assert "301–350 of about 2,134" in page.text
    assert [one for one in found if one.isdecimal()] == ["1", "5", "6", "8", "9", "43", "25", "100"]
    assert found["Next"] == f"{USERS}?sort=-created&page=8"
    assert found["1"] == f"{USERS}?sort=-created"
    assert found["100"] == f"{USERS}?sort=-created&size=100"


@pytest.mark.parametrize(
    ("total", "words", "last"),
    [(1_000, "of 1,000<", 20), (20_296, "of about 20,296<", 406), (3_000_000, "of about 3,000,000<", 20_000)],
)
async def test_last_page_is_reached(
    console: ConsoleService, signed_in: httpx.AsyncClient, total: int, words: str, last: int
) -> None:
    """A list has pages up to its end or the millionth entry, and a count that may be some seconds old is marked."""
    console.provider.answers[LIST] = users(total)
    page = (await signed_in.get(f"{USERS}?page={last}")).text
    [read] = [one["query"] for one in calls(console, LIST) if one["query"]["limit"] == 50]

    assert words in page
    assert read["offset"] == str((last - 1) * 50)
    assert 'rel="next"' not in page
    assert ('id="list-too-many"' in page) == (total > 1_000_000)


async def test_unknown_order_and_size_are_the_default(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    await signed_in.get(f"{USERS}?sort=-password&size=9999&page=x")
    [asked] = calls(console, LIST)

    assert asked["query"] == {"limit": 50, "offset": "0", "asc": True}
    assert asked["sortingColumn"] == "USER_FIELD_NAME_DISPLAY_NAME"


async def test_page_of_rows_is_selected_without_a_script(signed_in: httpx.AsyncClient) -> None:
    page = await signed_in.get(f"{USERS}?size=100")
    selected = await signed_in.get(hrefs(page)["Select all on this page"])

    assert page.text.count(" checked") == 0
    assert len(re.findall(r'name="row-\d+" value="u\d+"[^>]* checked', selected.text)) == 100


async def test_whole_list_is_processed_in_portions(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """All entries that match are read once, and each is processed once; refusals are listed with name and reason."""
    console.provider.answers[LIST] = users(230)
    refused = refusal("failed_precondition", 412, "USER-200", "Not active.")
    console.provider.answers[LOCK] = lambda fields, request: (
        refused(fields, request) if fields["userId"] in ("u7", "u208") else httpx.Response(200, json={})
    )
    page = await signed_in.get(f"{USERS}?select=page&filter=active&sort=-created")
    whole = await signed_in.get(hrefs(page)["Select all 230"])
    [target] = re.findall(r'formaction="([^"]+do/lock[^"]*)"', whole.text)
    answer = await signed_in.post(html.unescape(target), data=hidden(whole, "several"), headers={"Origin": ISSUER})
    sent, steps = hidden(answer, "confirm"), 0
    while sent:
        answer = await signed_in.post(f"{USERS}/do/lock", data=sent, headers={"Origin": ISSUER})
        sent, steps = hidden(answer, "go-on"), steps + 1
    [read] = [one for one in calls(console, LIST) if one["query"]["limit"] == 1000 and "inUserIds" not in str(one)]

    assert sorted(one["userId"] for one in calls(console, LOCK)) == sorted(f"u{one}" for one in range(230))
    assert steps == 6
    assert read["sortingColumn"] == "USER_FIELD_NAME_CREATION_DATE"
    assert {"stateQuery": {"state": "USER_STATE_ACTIVE"}} in read["queries"]
    assert answer.text.count("Not active.") == 2
    for one in ("7", "208"):
        assert f'/users/u{one}"><bdi>user{one}</bdi></a> <span class="muted"><bdi>u{one}@mail.example' in answer.text
    assert "230 of 230" in answer.text


async def test_whole_list_has_a_limit(signed_in: httpx.AsyncClient) -> None:
    page = await signed_in.get(f"{USERS}?select=page")
    whole = await signed_in.get(hrefs(page)["Select the first 1,000"])

    assert "The first 1,000 entries are selected." in whole.text


def test_sorts_are_columns_that_the_api_can_sort_by() -> None:
    """Each order is that of a column, and its value is one of the request's ``sortingColumn``."""
    for listing in (one.listing for one in SCREENS if one.listing is not None):
        fields = METHODS[listing.method.replace("/", ".")].request.DESCRIPTOR.fields_by_name
        for sort in listing.sorts:
            assert sort.title in [column.title for column in listing.columns], listing.method
            if sort.by:
                values = fields["sorting_column"].enum_type
                assert values is not None
                assert sort.by in values.values_by_name, listing.method


async def test_whole_list_is_deleted_by_typing_its_number(
    console: ConsoleService, signed_in: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """Without the number nothing is deleted, and a sign-in in between keeps the selection."""
    console.provider.answers[LIST] = users(60)
    page = await signed_in.get(f"{USERS}?select=all")
    sent = hidden(page, "several")
    clock.tick(1_000)
    asked = await signed_in.post(f"{USERS}/do/remove", data=sent, headers={"Origin": ISSUER})
    back = await signed_in.get(console.provider.authorize(asked.headers["location"]))
    confirm = await signed_in.get(back.headers["location"])
    wrong, first = [
        await signed_in.post(
            f"{USERS}/do/remove", data=hidden(confirm, "confirm") | {"typed_name": typed}, headers={"Origin": ISSUER}
        )
        for typed in ("6", "60")
    ]
    deleted = len(calls(console, DELETE))
    await signed_in.post(f"{USERS}/do/remove", data=hidden(first, "go-on"), headers={"Origin": ISSUER})

    assert (wrong.status_code, deleted, len(calls(console, DELETE))) == (400, 40, 60)


def queries(console: ConsoleService) -> list[dict[str, Any]]:
    """Those of the last list, beside the type."""
    found: list[dict[str, Any]] = calls(console, LIST)[-1]["queries"]
    return [one for one in found if "typeQuery" not in one]


INVITED = {"situationQuery": {"situation": "USER_SITUATION_INVITED"}}
ACTIVE = {"stateQuery": {"state": "USER_STATE_ACTIVE"}}
WITHOUT_WAY_IN = {"situationQuery": {"situation": "USER_SITUATION_WITHOUT_WAY_IN"}}
READERS = {"roleQuery": {"projectId": "p1", "roleKey": "reader/all"}}


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("filter=invited", [INVITED]),
        ("filter=no-way-in", [ACTIVE, WITHOUT_WAY_IN]),
        ("filter=never&group=g1", [{"situationQuery": {"situation": "USER_SITUATION_NEVER_SIGNED_IN"}}, {"groupIdQuery": {"groupId": "g1"}}]),
        ("role=p1/reader/all", [READERS]),
        ("role=p1", []),
        ("group=g1/x&role=/", []),
    ],
)  # fmt: skip
async def test_users_are_filtered(
    console: ConsoleService, signed_in: httpx.AsyncClient, address: str, sent: list[dict[str, Any]]
) -> None:
    """By state, group and role together; a value that no choice has is ignored."""
    await signed_in.get(f"{USERS}?{address}")

    assert queries(console) == sent


async def test_filters_in_use_are_removed_one_by_one(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers["portico.management.v1.GroupService/GetGroup"] = answering({"group": {"name": "Sales"}})
    page = await signed_in.get(f"{USERS}?q=ada&filter=invited&group=g1&role=p1/reader")
    chips = page.text.partition('id="filters"')[2].partition("</ul>")[0]
    links = [html.unescape(one) for one in re.findall(r'href="([^"]+)"', chips)]

    assert links == [
        f"{USERS}?filter=invited&group=g1&role=p1%2Freader",
        f"{USERS}?q=ada&in=words&filter=invited&role=p1%2Freader",
        f"{USERS}?q=ada&in=words&filter=invited&group=g1",
    ]
    assert "Group: <bdi>Sales</bdi>" in chips


async def test_filter_is_saved_and_removed(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """In a cookie of this browser; only what a list understands is saved."""
    page = await signed_in.get(f"{USERS}?filter=invited&group=g1")
    fields = hidden(page, "save-filter")
    saved = await signed_in.post(
        f"{USERS}/do/filters",
        data={**fields, "name": "New colleagues", "query": f"{fields['query']}&evil=1"},
        headers={"Origin": ISSUER},
    )
    listed = await signed_in.get(USERS)
    current = await signed_in.get(f"{USERS}?filter=invited&group=g1")
    await signed_in.post(
        f"{USERS}/do/filters", data={**hidden(current, "saved-filters"), "remove": "1"}, headers={"Origin": ISSUER}
    )
    after = await signed_in.get(USERS)

    assert "New colleagues" not in page.text
    assert "HttpOnly" in saved.headers["set-cookie"]
    assert f'href="{USERS}?filter=invited&amp;group=g1"><bdi>New colleagues</bdi>' in listed.text
    assert "New colleagues" not in after.text


async def test_tampered_saved_filters_are_ignored(signed_in: httpx.AsyncClient) -> None:
    page = await signed_in.get(f"{USERS}?filter=invited")
    kept = {**hidden(page, "save-filter"), "name": "x"}
    saved = await signed_in.post(f"{USERS}/do/filters", data=kept, headers={"Origin": ISSUER})
    name = saved.headers["set-cookie"].partition("=")[0]
    signed_in.cookies.delete(name)
    signed_in.cookies.set(name, "bm90IGpzb24")

    assert (await signed_in.get(USERS)).status_code == 200


async def test_group_and_role_are_chosen_by_name(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The form leads to the list, with its search, order and other filters."""
    held = ("user.read", "user.grant.read", "project.read", "project.role.read")
    management = "portico.management.v1"
    console.provider.answers |= {
        PERMISSIONS: answering({"org": {"id": "o1"}, "permissions": [{"permission": one, "roles": ["X"]} for one in held]}),
        f"{management}.GroupService/ListGroups": answering({"result": [{"id": "g1", "name": "Sales"}]}),
        f"{management}.ProjectService/ListProjects": answering({"result": [{"id": "p1", "name": "Shop"}]}),
        f"{management}.ProjectService/ListProjectRoles": answering({"result": [{"key": "reader", "displayName": "Reader"}]}),
    }  # fmt: skip
    page = (await signed_in.get(f"{USERS}/do/filter?q=ada&filter=invited&group=g1&sort=-created&page=3")).text

    assert '<option value="g1" selected>Sales</option>' in page
    assert '<optgroup label="Shop"><option value="p1/reader">Reader</option></optgroup>' in page
    form = page.partition('id="form"')[2].partition("</form>")[0]
    assert dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form)) == {
        "q": "ada", "in": "words", "filter": "invited", "sort": "-created",
    }  # fmt: skip


async def test_user_without_a_way_to_sign_in_is_not_shown_as_active(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The state has the words of the user's page."""
    people = [
        {"id": "u1", "userName": "imported", "state": "USER_STATE_ACTIVE", "human": {"wayIn": "WAY_IN_STATE_NONE"}},
        {"id": "u2", "userName": "member", "state": "USER_STATE_ACTIVE", "human": {}},
    ]
    console.provider.answers[LIST] = answering({"result": people, "details": {"totalResult": "2"}})
    shown = (await signed_in.get(USERS)).text

    assert re.findall(r'<span class="state (\w+)">([^<]+)</span>', shown) == [
        ("warn", "cannot sign in yet"), ("good", "active"),
    ]  # fmt: skip
