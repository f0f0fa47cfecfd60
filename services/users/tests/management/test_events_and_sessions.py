from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_contracts.authz import (
    END_SESSIONS,
    LIST_SESSIONS,
    EndSessions,
    ListSessions,
    SessionsEnded,
    SessionState,
    SessionStates,
    TrustedDeviceState,
)
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers


@pytest.fixture
def history() -> bool:
    return True


Call = Callable[..., Awaitable[ApiResponse]]
EVENTS = "portico.management.v1.EventService.ListEvents"
SESSION = "portico.management.v1.SessionService"
UPDATE = "portico.management.v1.OrganizationService.UpdateOrg"


@pytest.fixture
def ask(managed: Any) -> Call:
    async def call(name: str, body: Any, path: str = "", *, by: str = "owner", **more: Any) -> ApiResponse:
        return await call_as(managed, name, body, by=by, path=path, **more)

    return call


async def test_change_is_logged_with_editor_and_values(managed: Any, ask: Call) -> None:
    """Events have editor, object, sequence, fields and values."""
    await ask(UPDATE, {"name": f"Renamed {managed.tag}"})
    body = {"aggregateId": managed.org_id, "query": {"limit": 1}}
    listed = await ask(EVENTS, body)
    (event,) = listed.body["result"]

    assert listed.body["details"]["totalResult"] == "2"
    assert event["aggregateType"] == "orgs"
    assert event["resourceOwner"] == managed.org_id
    assert event["sequence"] == "2"
    assert event["editorUserId"] == f"owner-{managed.tag}"
    assert event["type"] == "updated"
    assert event["fields"] == ["name"]
    assert event["payload"] == {"name": f"Renamed {managed.tag}"}


async def test_owner_reads_only_events_of_the_organization(managed: Any, ask: Call) -> None:
    """Events of other organizations are neither listed nor counted, also with a header (MG-22)."""
    own = await ask(EVENTS, {"query": {"limit": 1000}})
    foreign = await ask(EVENTS, {"aggregateId": managed.other_org_id})
    headers = {"x-service-orgid": managed.other_org_id}

    assert {event["resourceOwner"] for event in own.body["result"]} == {managed.org_id}
    assert "totalResult" not in foreign.body["details"]
    assert (await ask(EVENTS, {}, headers=headers)).error_code == "USER-313"
    there = await ask(EVENTS, {}, by="iam", headers=headers)
    assert {event["resourceOwner"] for event in there.body["result"]} == {managed.other_org_id}


@pytest.mark.parametrize(
    ("condition", "types"),
    [
        ({"aggregateTypes": ["orgs"]}, {"orgs"}),
        ({"aggregateTypes": ["orgs", "members"]}, {"orgs", "members"}),
        ({"editorUserId": "nobody"}, set()),
        ({"since": "2100-01-01T00:00:00Z"}, set()),
        ({"before": "2000-01-01T00:00:00Z"}, set()),
        ({"since": "2000-01-01T00:00:00Z", "before": "2100-01-01T00:00:00Z"}, {"orgs", "members", "users"}),
    ],
)
async def test_events_match_all_filters(ask: Call, condition: Any, types: set[str]) -> None:
    listed = await ask(EVENTS, condition)

    assert {event["aggregateType"] for event in listed.body.get("result", [])} == types


async def test_events_of_an_object_are_in_order(managed: Any, ask: Call) -> None:
    """Events of an object are in order in both directions and across pages, also with equal times."""
    for number in range(3):
        await ask(UPDATE, {"name": f"Name {number} {managed.tag}"})
    pages = []
    for asc in (True, False):
        for offset in (0, 2):
            query = {"offset": offset, "limit": 2, "asc": asc}
            listed = await ask(EVENTS, {"aggregateId": managed.org_id, "query": query})
            pages.append([event["sequence"] for event in listed.body["result"]])

    assert pages == [["1", "2"], ["3", "4"], ["4", "3"], ["2", "1"]]


@pytest.fixture
def sessions(managed: Any) -> dict[str, list[str]]:
    live = {f"self-{managed.tag}": ["laptop", "phone"], f"owner-{managed.tag}": ["desk"]}

    async def list_of(ask: ListSessions) -> SessionStates:
        found = [
            SessionState(
                session_id=id,
                auth_time=1_790_000_000.0,
                used_at=1_790_000_060.5,
                amr=("pwd",),
                device="Firefox, Linux",
                country="NL",
            )
            for id in live.get(ask.user_id, [])
        ]
        return SessionStates(sessions=tuple(found))

    async def end(ask: EndSessions) -> SessionsEnded:
        ended = [id for id in live.get(ask.user_id, []) if not ask.session_ids or id in ask.session_ids]
        live[ask.user_id] = [id for id in live[ask.user_id] if id not in ended]
        return SessionsEnded(sessions=len(ended))

    managed.users.bus.respond(LIST_SESSIONS, list_of)
    managed.users.bus.respond(END_SESSIONS, end)
    return live


async def test_sessions_are_listed_and_ended(managed: Any, ask: Call, sessions: dict[str, list[str]]) -> None:
    """Ending one or all sessions of a user keeps those of other users."""
    path = f"/management/v1/users/self-{managed.tag}/sessions"
    listed = await ask(f"{SESSION}.ListUserSessions", {}, f"{path}/_search")
    assert [session["id"] for session in listed.body["result"]] == ["laptop", "phone"]
    assert listed.body["result"][0]["lastUsed"].endswith("20.500Z")
    assert listed.body["result"][0]["amr"] == ["pwd"]
    assert listed.body["result"][0]["device"] == "Firefox, Linux"
    assert listed.body["result"][0]["country"] == "NL"

    assert (await ask(f"{SESSION}.RemoveUserSession", {}, f"{path}/laptop")).code == 0
    assert (await ask(f"{SESSION}.RemoveUserSession", {}, f"{path}/desk")).error_code == "USER-726"
    assert (await ask(f"{SESSION}.RemoveUserSessions", {}, path, by="self")).body == {"sessions": 1}
    assert sessions == {f"self-{managed.tag}": [], f"owner-{managed.tag}": ["desk"]}


async def test_trusted_devices_are_listed_and_removed(managed: Any, ask: Call) -> None:
    """Administrators and the user; an unknown device is USER-130."""
    managed.api.trusted_devices["d1"] = TrustedDeviceState(
        "d1", 1_790_000_000.5, 1_790_086_400.0, "Firefox, Linux", "NL"
    )
    path = f"/management/v1/users/self-{managed.tag}/trusted_devices"
    listed = await ask(f"{SESSION}.ListUserTrustedDevices", {}, f"{path}/_search", by="self")
    assert listed.body["result"] == [
        {
            "id": "d1",
            "since": "2026-09-21T14:13:20.500Z",
            "until": "2026-09-22T14:13:20Z",
            "device": "Firefox, Linux",
            "country": "NL",
        }
    ]

    assert (await ask(f"{SESSION}.RemoveUserTrustedDevice", {}, f"{path}/d1")).code == 0
    assert managed.api.trusted_devices == {}
    assert (await ask(f"{SESSION}.RemoveUserTrustedDevice", {}, f"{path}/unknown")).error_code == "USER-130"


async def test_without_authz_sessions_are_unavailable(managed: Any, ask: Call) -> None:
    """Listing and ending sessions is unavailable without authz."""
    managed.users.bus.silent.add(END_SESSIONS.subject)
    path = f"/management/v1/users/self-{managed.tag}/sessions"

    assert (await ask(f"{SESSION}.RemoveUserSessions", {}, path)).code == 14
