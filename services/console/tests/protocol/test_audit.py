"""The time line of the console: sentences, links, filters, pages, export."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import httpx
import pytest
from portico_console.account_app.headlines import HEADLINES
from portico_contracts.activities.table import ACTIVITIES
from portico_fakes.console_service import SUBJECT, ConsoleService

from .audit_events import BASE, CARL, EVENTS, PERMISSIONS, REFUSED, SIGN_IN, USERS, answering, event, paged


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    held = [{"permission": "events.read", "roles": ["ORG_OWNER"], "everywhere": True}]
    console.provider.answers |= {
        PERMISSIONS: answering({"org": {"id": "o1", "name": "Org"}, "permissions": held}),
        EVENTS: paged([event(), REFUSED, SIGN_IN]),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


def asked(console: ConsoleService) -> dict[str, Any]:
    return [fields for name, fields in console.provider.calls if name == EVENTS][-1]


async def test_entry_is_a_sentence_with_links(signed_in: httpx.AsyncClient) -> None:
    """Names lead to their pages and cannot be markup; the exact time and the change are on the page."""
    page = (await signed_in.get(BASE)).text

    assert (
        '<a href="/ui/console/orgs/o1/users/grace"><bdi>Grace Hopper</bdi></a> locked '
        '<a href="/ui/console/orgs/o1/users/carl"><bdi>Carl &lt;Sagan&gt;</bdi></a>'
    ) in page
    assert "2026-11-26 07:30:12 UTC" in page
    assert '<bdi class="muted">grace@acme.example</bdi>' in page
    assert "<del><bdi>active</bdi></del>" in page
    assert "<ins><bdi>locked</bdi></ins>" in page


async def test_sign_in_shows_methods_device_and_country(signed_in: httpx.AsyncClient) -> None:
    page = (await signed_in.get(BASE)).text

    assert ' signed in to <a href="/ui/console/orgs/o1/projects/p1/apps/a1"><bdi>Wiki</bdi></a>' in page
    assert "· Password · Security key · Firefox, Linux · Netherlands" in page
    assert page.index('data-day="2026-11-26"') < page.index('data-day="2026-11-25"')


async def test_refusal_leads_to_its_diagnostics(signed_in: httpx.AsyncClient) -> None:
    page = (await signed_in.get(BASE)).text

    assert "12 times" in page
    assert 'href="/ui/console/requests/0af7651916cd43dd8448eb211c80319c"' in page
    assert f'href="{BASE}?error=AUTHZ-005"' in page


async def test_filters_are_conditions_of_the_api(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Every filter of the page is sent, and stays in its links."""
    query = "only=sign-ins&kind=users&activity=users.locked&who=grace&about=carl&user=ada&error=AUTHZ-005&since=2026-11-01&until=2026-11-30"
    page = (await signed_in.get(f"{BASE}?{query}")).text
    sent = [one for name, one in console.provider.calls if name == EVENTS and one["query"]["limit"] == 25][-1]

    assert sent == {
        "editorUserId": "grace",
        "aggregateId": "carl",
        "userId": "ada",
        "errorId": "AUTHZ-005",
        "types": [
            *("signed_in", "signed_out", "signin_failed", "device_approved", "device_denied"),
            *("trust_started", "trust_ended", "password_refused", "rule_exempted"),
        ],
        "aggregateTypes": ["users"],
        "activities": ["users.locked"],
        "since": "2026-11-01T00:00:00Z",
        "before": "2026-12-01T00:00:00Z",
        "query": {"limit": 25},
        "pageToken": "",
    }
    assert f'href="{BASE}/export.csv?{query.replace("&", "&amp;")}"' in page


async def test_unknown_filters_are_ignored(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    page = await signed_in.get(f"{BASE}?only=x&kind=x&activity=x&error=x&since=2026-13-77&until=9999-12-31")

    assert page.status_code == 200
    assert asked(console) == {"query": {"limit": 25}, "pageToken": "", "groupImports": True}


async def test_typed_person_becomes_a_filter(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """One match filters at once; of several the user chooses, and the page reports none."""
    one = {"userId": "carl", "human": {"profile": {"displayName": "Carl"}, "email": {"email": "c@example.com"}}}
    console.provider.answers[USERS] = answering({"result": [one]})
    single = await signed_in.get(f"{BASE}?person=carl&only=changes")
    console.provider.answers[USERS] = answering({"result": [one, one | {"userId": "carla"}]})
    several = await signed_in.get(f"{BASE}?person=carl")
    console.provider.answers[USERS] = answering({})
    nobody = await signed_in.get(f"{BASE}?person=carl")

    assert (single.status_code, single.headers["location"]) == (303, f"{BASE}?only=changes&who=carl")
    assert f'href="{BASE}?who=carla"' in several.text
    assert "No user matches “carl”." in nobody.text


async def test_older_entries_follow_by_token(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[EVENTS] = paged([event()], [event(id="old")])
    first = (await signed_in.get(f"{BASE}?only=changes")).text
    second = (await signed_in.get(f"{BASE}?only=changes&after=1")).text

    assert f'href="{BASE}?only=changes&amp;after=1"' in first
    assert asked(console)["pageToken"] == "1"
    assert 'id="event-old"' in second
    assert 'id="older"' not in second
    assert f'href="{BASE}?only=changes"' in second


async def test_export_has_all_pages_and_the_filters(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """CSV and JSON are streamed page by page; a cell that could be a formula is text."""
    dangerous = event(id="e9", object={**CARL, "name": "=1;=2"})
    console.provider.answers[EVENTS] = paged([event(), SIGN_IN], [dangerous])
    table = await signed_in.get(f"{BASE}/export.csv?only=changes")
    whole = await signed_in.get(f"{BASE}/export.json?only=changes")
    rows = list(csv.DictReader(io.StringIO(table.text)))

    assert [row["id"] for row in rows] == ["e1", "e2", "e9"]
    assert rows[0]["summary"] == "Grace Hopper locked Carl <Sagan>"
    assert rows[0]["changes"] == "state: active → locked"
    assert (rows[1]["methods"], rows[1]["device"], rows[1]["country"]) == ("pwd hwk mfa", "Firefox, Linux", "NL")
    assert rows[2]["object"] == "'=1;'=2"
    assert [one["id"] for one in json.loads(whole.text)] == ["e1", "e2", "e9"]
    assert asked(console)["types"] == ["created", "updated", "deleted", "rotated", "revoked"]
    assert table.headers["content-disposition"] == 'attachment; filename="audit.csv"'


async def test_empty_export_is_valid(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[EVENTS] = paged([])

    assert json.loads((await signed_in.get(f"{BASE}/export.json")).text) == []
    assert len((await signed_in.get(f"{BASE}/export.csv")).text.splitlines()) == 1


async def test_without_permission_nothing_is_asked(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[PERMISSIONS] = answering({"org": {"id": "o1", "name": "Org"}})
    page = (await signed_in.get(BASE)).text

    assert 'id="may-not-read"' in page
    assert EVENTS not in [name for name, _ in console.provider.calls]


async def test_instance_lists_all_organizations(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The time line of the instance names the organization of each entry."""
    console.provider.answers[EVENTS] = paged([event(organization={"id": "o1", "type": "orgs", "name": "Acme"})])
    page = (await signed_in.get("/ui/console/instance/audit")).text
    request = [one for one in console.provider.requests if one.url.path.endswith("/ListEvents")][-1]

    assert "· <bdi>Acme</bdi>" in page
    assert "x-service-orgid" not in request.headers


async def test_former_address_leads_here(signed_in: httpx.AsyncClient) -> None:
    former = await signed_in.get("/ui/console/orgs/o1/history")

    assert former.headers["location"] == BASE


async def test_history_of_a_project_is_the_time_line_with_a_filter(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    page = (await signed_in.get("/ui/console/orgs/o1/projects/p1/history")).text
    conditions = [fields for name, fields in console.provider.calls if name == EVENTS]

    assert {"aggregateId": "p1", "query": {"limit": 25}, "pageToken": ""} in conditions
    assert f'action="{BASE}"' in page
    assert '<input type="hidden" name="about" value="p1">' in page


async def test_service_user_has_the_time_line(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Its page shows the last entries, by it and about it, and leads to the time line with that filter."""
    machine = {"id": "m1", "userName": "robot", "machine": {"name": "Robot"}}
    console.provider.answers |= {
        "portico.management.v1.UserService/GetUserByID": answering({"user": machine}),
        EVENTS: paged([event()], [event(id="e2")]),
    }
    part = (await signed_in.get("/ui/console/orgs/o1/machines/m1")).text.split('id="part-machine-history"')[1]
    last = asked(console)
    whole = (await signed_in.get("/ui/console/orgs/o1/machines/m1/history")).text

    assert '<bdi>Grace Hopper</bdi></a> locked <a href="/ui/console/orgs/o1/users/carl">' in part
    assert '<a href="/ui/console/orgs/o1/machines/m1/history">Older entries</a>' in part
    assert last == {"userId": "m1", "query": {"limit": 5}}
    assert {"userId": "m1", "query": {"limit": 25}, "pageToken": ""} in [
        fields for name, fields in console.provider.calls if name == EVENTS
    ]
    assert '<input type="hidden" name="user" value="m1">' in whole


async def test_account_history_is_about_oneself(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """Users see what happened to their account and whether an administrator did it, without names of others."""
    await console.sign_in(browser, "/ui/account")
    sub = SUBJECT
    own: dict[str, Any] = {
        "id": "e1",
        "creationDate": "2026-11-26T07:00:00Z",
        "type": "updated",
        "activity": "users.passwordSet",
    }
    own |= {"aggregateId": sub, "aggregateType": "users", "fields": ["password"]}
    mine, theirs = own | {"editorUserId": sub}, own | {"id": "e2", "editorUserId": "grace"}
    acted = theirs | {
        "id": "e3",
        "aggregateId": "e3",
        "aggregateType": "impersonations",
        "type": "impersonated",
        "activity": "impersonations.impersonated",
        "fields": ["appId", "userId"],
        "related": [{"id": "a", "type": "apps", "name": "Support"}],
    }
    console.provider.answers["portico.management.v1.CallerService/ListMyEvents"] = answering(
        {"details": {"totalResult": "3"}, "result": [mine, theirs, acted]}
    )
    page = (await browser.get("/ui/account/history")).text
    first, second, third = page.split('class="sentence">')[1:]

    assert first.startswith("Password set</p>")
    assert second.startswith("Password set</p>")
    assert third.startswith("Access to <bdi>Support</bdi> in your name</p>")
    assert ["by an administrator" in one for one in (first, second, third)] == [False, True, True]
    assert 'href="/ui/console/orgs' not in page


async def test_account_page_translates_names_of_own_applications(
    console: ConsoleService, browser: httpx.AsyncClient
) -> None:
    """The history and the list of applications name the console in the language of the page."""
    console.provider.claims = {"locale": "de"}
    await console.sign_in(browser, "/ui/account")
    event = {"id": "e1", "creationDate": "2026-11-26T07:00:00Z", "type": "created", "activity": "signIns.signedIn"}
    event |= {"aggregateId": "e1", "aggregateType": "signIns", "editorUserId": SUBJECT}
    related = [
        {"id": "portico-console", "type": "apps", "name": "Console"},
        {"id": "a", "type": "apps", "name": "Shop"},
    ]
    found = [event | {"id": one["id"], "related": [one]} for one in related]
    apps = [{"clientId": "portico-console", "name": "Console"}, {"clientId": "c1", "name": "Console"}]
    console.provider.answers |= {
        "portico.management.v1.CallerService/ListMyEvents": answering(
            {"details": {"totalResult": "2"}, "result": found}
        ),
        "portico.management.v1.AppAccessService/ListUserAppAccess": answering({"result": apps}),
    }
    history = (await browser.get("/ui/account/history")).text
    access = (await browser.get("/ui/account/access")).text

    assert [f"<bdi>{name}</bdi>" in history for name in ("Konsole", "Console", "Shop")] == [True, False, True]
    assert '<p class="way-name"><bdi>Konsole</bdi>' in access
    assert '<p class="way-name"><bdi>Console</bdi>' in access


async def test_applications_with_access_are_shown_with_the_api_of_each_scope(
    console: ConsoleService, browser: Any
) -> None:
    """The same scope at two APIs is two entries; a deleted API has only its client id (decision 0110)."""
    await console.sign_in(browser, "/ui/account")
    of_apis = [
        {"scope": "read", "apiClientId": "c-orders", "apiName": "Orders"},
        {"scope": "read", "apiClientId": "c-gone"},
    ]
    app = {"clientId": "c1", "name": "Shop", "allowed": "2026-11-26T07:00:00Z", "allowedScopes": ["openid"]}
    method = "portico.management.v1.AppAccessService/ListUserAppAccess"
    console.provider.answers[method] = answering({"result": [{**app, "allowedApiScopes": of_apis}]})

    assert "openid, read (Orders), read (c-gone)" in (await browser.get("/ui/account/access")).text


def test_every_activity_of_a_user_has_a_headline() -> None:
    """Service users have neither an account page nor its history."""
    of_services = {
        "signIns.workload",
        "signIns.workloadApplication",
        "users.secretChanged",
        "users.tokensChanged",
        "users.keysOfServiceChanged",
        "users.deleted",
    }
    known = {one.key for one in ACTIVITIES if one.kind in ("users", "signIns", "impersonations", "agents")}

    assert known - of_services - {"signIns.deviceDeniedUnknown"} == HEADLINES.keys() - {"requests.refusedUser"}
