"""Periods, imports and details in the time line of the console."""

from __future__ import annotations

import gzip
from typing import Any, Final

import httpx
import pytest
from portico_console.static_files import SCRIPT, STYLESHEET
from portico_fakes.console_service import ConsoleService

from .audit_events import BASE, EVENTS, PERMISSIONS, SIGN_IN, answering, event, paged

FIRST_VIEW: Final = 60_000
"""Bytes of a page with its stylesheet and script, which the gateway compresses."""

VALUES: Final = {
    "User name": "carl@acme-international.example",
    "First name": "Carl Edward",
    "Last name": "Sagan",
    "Display name": "Carl Edward Sagan",
    "Language": "en",
    "Email": "carl.sagan@acme-international.example",
    "Email verified": "true",
    "Phone": "+41791234567",
    "Password": "true",
    "State": "active",
}
"""By label: the fields of a new user."""


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    held = [{"permission": "events.read", "roles": ["ORG_OWNER"], "everywhere": True}]
    org = answering({"org": {"id": "o1", "name": "Org"}, "permissions": held})
    console.provider.answers |= {PERMISSIONS: org, EVENTS: paged([event()])}
    await console.sign_in(browser, "/ui/console")
    return browser


def asked(console: ConsoleService) -> dict[str, Any]:
    return [fields for name, fields in console.provider.calls if name == EVENTS][-1]


@pytest.mark.parametrize(
    ("query", "since", "before"),
    [
        ("period=today&zone=Europe/Berlin", "2026-09-20T22:00:00Z", "2026-09-21T22:00:00Z"),
        ("period=yesterday&zone=America/New_York", "2026-09-20T04:00:00Z", "2026-09-21T04:00:00Z"),
        ("period=7-days", "2026-09-15T00:00:00Z", "2026-09-22T00:00:00Z"),
        ("period=30-days&zone=No/Where", "2026-08-23T00:00:00Z", "2026-09-22T00:00:00Z"),
        ("since=2026-03-29&until=2026-03-29&zone=Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
    ],
)
async def test_periods_are_days_of_the_reader(
    console: ConsoleService, signed_in: httpx.AsyncClient, query: str, since: str, before: str
) -> None:
    """From midnight to midnight in the reader's time zone, also where a clock is changed; in UTC without one."""
    page = (await signed_in.get(f"{BASE}?{query}")).text
    sent = [one for name, one in console.provider.calls if name == EVENTS and one["query"]["limit"] == 25][-1]

    assert (sent["since"], sent["before"]) == (since, before)
    assert 'id="zone"' in page


async def test_import_is_one_entry_that_leads_to_its_users(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The page requests grouped imports; the users of one are a list of their own, and so is a person's history."""
    imported = event(
        id="i1", aggregateType="userImports", aggregateId="i1", type="created", payload={"count": 293}, changes=[],
        activity="userImports.created", object={"id": "i1", "type": "userImports"},
    )  # fmt: skip
    console.provider.answers[EVENTS] = paged([imported])
    page = (await signed_in.get(BASE)).text
    grouped = asked(console)
    await signed_in.get(f"{BASE}?import_id=i1")
    of_import = [one for name, one in console.provider.calls if name == EVENTS and "importId" in one][-1]

    assert "imported users" in page
    assert "293 users" in page
    assert f'href="{BASE}?import_id=i1"' in page
    assert grouped["groupImports"]
    assert (of_import["importId"], "groupImports" in of_import) == ("i1", False)


async def test_failed_sign_in_has_its_reason(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    failed = SIGN_IN | {"type": "signin_failed", "activity": "signIns.failed", "payload": {"failureReason": "locked"}}
    newer = failed | {"id": "e9", "payload": {"failureReason": "of_a_newer_release"}}
    console.provider.answers[EVENTS] = paged([failed, newer])
    page = (await signed_in.get(BASE)).text

    assert "· The user is locked" in page
    assert "of_a_newer_release" not in page


async def test_change_of_a_list_shows_what_was_added_and_removed(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    changes = [{"field": "idps", "label": "Idps", "before": ["Google", "GitHub"], "after": ["Google", "Okta"]}]
    console.provider.answers[EVENTS] = paged([event(changes=changes)])
    page = (await signed_in.get(BASE)).text

    assert "Added: <ins><bdi>Okta</bdi></ins><br>Removed: <del><bdi>GitHub</bdi></del>" in page


@pytest.mark.parametrize("place", ["orgs/o1", "instance"])
async def test_page_of_new_users_stays_within_the_weight_of_a_first_view(
    console: ConsoleService, signed_in: httpx.AsyncClient, place: str
) -> None:
    """Entries of new users have the most details; a page has as many entries as it requests."""
    changes = [{"field": label, "label": label, "after": [value]} for label, value in VALUES.items()]
    new = [
        event(id=f"{number:032}", type="created", activity="users.created", changes=changes,
              organization={"id": "o1", "name": "Demo organization"})
        for number in range(100)
    ]  # fmt: skip

    def answer(fields: dict[str, Any], _request: httpx.Request) -> httpx.Response:
        return httpx.Response(
            200, json={"details": {}, "result": new[: fields["query"]["limit"]], "nextPageToken": "1"}
        )

    console.provider.answers[EVENTS] = answer
    page = await signed_in.get(f"/ui/console/{place}/audit")
    shared = sum(len(gzip.compress(file.content)) for file in (STYLESHEET, SCRIPT))

    assert len(page.content) + shared <= FIRST_VIEW
    assert page.text.count('<li class="event"') == 25
