"""Sentences, changed values and pages of the event log."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_contracts.users.listed_events import LIST_EVENTS, ListEvents
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.opaque import b64url
from portico_users.storage.schema import EVENTS as LOG
from portico_users.tables import TABLES

pytestmark = pytest.mark.servers


@pytest.fixture
def history() -> bool:
    return True


Call = Callable[..., Awaitable[ApiResponse]]
EVENTS = "portico.management.v1.EventService.ListEvents"
MANAGEMENT = "portico.management.v1"
V2 = "portico.user.v2.UserService"


@pytest.fixture
def ask(managed: Any) -> Call:
    async def call(name: str, body: Any, path: str = "", *, by: str = "owner", **more: Any) -> ApiResponse:
        return await call_as(managed, name, body, by=by, path=path, **more)

    return call


async def last(ask: Call, **conditions: Any) -> dict[str, Any]:
    listed = await ask(EVENTS, {**conditions, "query": {"limit": 1}})
    (event,) = listed.body["result"]
    return dict(event)


async def name_of(managed: Any, id: str) -> str:
    return str((await managed.get(id)).body["user"]["human"]["profile"]["displayName"])


async def test_lock_is_a_sentence_with_names(managed: Any, ask: Call) -> None:
    """A lock is not only "updated": the event has an activity, a sentence, the old and the new value."""
    id = f"self-{managed.tag}"
    assert (await ask(f"{V2}.LockUser", {}, f"/v2/users/{id}/lock")).code == 0
    event = await last(ask, aggregateId=id)

    assert event["type"] == "updated"
    assert event["activity"] == "users.locked"
    assert event["summary"] == f"{await name_of(managed, f'owner-{managed.tag}')} locked {await name_of(managed, id)}"
    assert event["changes"] == [{"field": "state", "label": "State", "before": ["active"], "after": ["locked"]}]


async def test_changed_secret_is_named_without_value(managed: Any, ask: Call) -> None:
    """The log names a changed password, and has no value of it."""
    id = f"self-{managed.tag}"
    body = {"password": {"password": "another Correct-Horse 7"}}
    assert (await ask(f"{V2}.SetPassword", {"newPassword": body["password"]}, f"/v2/users/{id}/password")).code == 0
    event = await last(ask, aggregateId=id)

    assert event["activity"] == "users.passwordSet"
    assert {"field": "password", "label": "Password"} in event["changes"]
    assert "Correct-Horse" not in str(event)


async def test_change_inside_of_rules_is_listed_alone(managed: Any, ask: Call) -> None:
    """Of the policies of an organization only the values that changed are listed."""
    method = f"{MANAGEMENT}.PolicyService.AddCustomPasswordComplexityPolicy"
    added = await ask(method, {"minLength": 14}, "/management/v1/policies/password/complexity")
    assert added.code == 0, added.body
    event = await last(ask, aggregateId=managed.org_id)

    assert event["activity"] == "orgs.passwordChanged"
    changed = {one["field"]: one.get("after") for one in event["changes"]}
    assert changed["policies.password.minLength"] == ["14"]


async def test_activity_is_a_filter(managed: Any, ask: Call) -> None:
    id = f"self-{managed.tag}"
    await ask(f"{V2}.LockUser", {}, f"/v2/users/{id}/lock")
    await ask(f"{V2}.UnlockUser", {}, f"/v2/users/{id}/unlock")
    found = await ask(EVENTS, {"activities": ["users.locked"]})

    assert [(one["aggregateId"], one["activity"]) for one in found.body["result"]] == [(id, "users.locked")]


async def test_events_of_and_about_a_user(managed: Any, ask: Call) -> None:
    """`userId` finds what was done to a user and what the user did."""
    id, owner = f"self-{managed.tag}", f"owner-{managed.tag}"
    await ask(f"{V2}.LockUser", {}, f"/v2/users/{id}/lock")
    found = (await ask(EVENTS, {"userId": owner})).body["result"]

    assert (id, owner) in {(one["aggregateId"], one["editorUserId"]) for one in found}
    assert all(owner in (one["aggregateId"], one["editorUserId"]) for one in found)


@pytest.mark.parametrize("asc", [False, True])
async def test_pages_follow_each_other_by_token(managed: Any, ask: Call, asc: bool) -> None:
    """Pages by token list every event once, and the last page has no token."""
    whole = [one["id"] for one in (await ask(EVENTS, {"query": {"limit": 1000, "asc": asc}})).body["result"]]
    found: list[str] = []
    token = ""
    while True:
        page = (await ask(EVENTS, {"query": {"limit": 4, "asc": asc}, "pageToken": token})).body
        found += [one["id"] for one in page.get("result", ())]
        token = page.get("nextPageToken", "")
        if not token:
            break

    assert found == whole
    assert len(whole) > 4


INVALID_POSITIONS = [
    b"[1",
    b"[1]",
    b'[1.5, 1, "a", "b"]',
    b'{"1": 1, "2": 2, "3": 3}',
    b'["1.5", 1, "a"]',
    b'[NaN, 1, "a"]',
    b'[1e999, 1, "a"]',
    b"[1" + b"0" * 400 + b', 1, "a"]',
    b'[1.5, 1e999, "a"]',
    b'[1.5, 1.5, "a"]',
    b'[1.5, 9223372036854775808, "a"]',
    b'[1.5, -1, "a"]',
    b"[1.5, 1, null]",
    rb'[1.5, 1, "\ud800"]',
    b'[1.5, 1, "\xff"]',
    b"[" * 400,
    '[1.5, 1, "a"]'.encode("utf-16"),
]


async def test_invalid_page_token_is_refused(ask: Call) -> None:
    """No token is an internal error, whatever it contains (RX-12)."""
    tokens = ["?", "\N{SNOWMAN}", "W", "WzFd!", *(b64url(position) for position in INVALID_POSITIONS)]
    answers = {token: (await ask(EVENTS, {"pageToken": token})).error_code for token in tokens}

    assert {token: answer for token, answer in answers.items() if answer != "USER-950"} == {}
    assert (await ask(EVENTS, {"pageToken": b64url(b'[1.5, 1, "a"]')})).code == 0


async def test_removed_object_keeps_its_last_name(managed: Any, ask: Call) -> None:
    """The log has the name of a removed user, as long as it has the events."""
    id = f"self-{managed.tag}"
    profile = {"givenName": "Carl", "familyName": "Sagan"}
    assert (await ask(f"{V2}.UpdateHumanUser", {"profile": profile}, f"/v2/users/human/{id}")).code == 0
    assert (await ask(f"{V2}.DeleteUser", {}, f"/v2/users/{id}", by="iam")).code == 0
    event = await last(ask, aggregateId=id, types=["deleted"])

    assert event["object"] == {
        "id": id,
        "type": "users",
        "name": "Carl Sagan",
        "removed": True,
        "resourceOwner": managed.org_id,
    }
    assert event["summary"].endswith(" deleted the user Carl Sagan")


async def test_event_of_an_older_release_has_a_sentence(managed: Any, ask: Call) -> None:
    """Rows without activity and old values are read as before."""
    id = f"self-{managed.tag}"
    await ask(f"{V2}.LockUser", {}, f"/v2/users/{id}/lock")
    rows = managed.users.parts.mongo.database[LOG]
    await rows.update_many({"object": id}, {"$unset": {"activity": "", "before": ""}})
    event = await last(ask, aggregateId=id)

    assert event["activity"] == "users.locked"
    assert event["changes"] == [{"field": "state", "label": "State", "after": ["locked"]}]


def test_every_table_has_sentences() -> None:
    """The written list of the contracts' test has every table of users."""
    written = {"instances", "orgs", "projects", "projectGrants", "apps", "users", "members", "idps", "webhooks"}

    assert {table.name for table in TABLES} == {
        *written,
        "senders",
        "groups",
        "scimConnections",
        "scimTargets",
        "outsideServers",
    }


async def test_operator_lists_the_same_sentences(managed: Any, ask: Call) -> None:
    """`portico events` has the summary of the management API, for every organization."""
    id = f"self-{managed.tag}"
    await ask(f"{V2}.LockUser", {}, f"/v2/users/{id}/lock")
    event = await last(ask, aggregateId=id)
    listed = await managed.users.bus.call(LIST_EVENTS, ListEvents(limit=1, user_id=id))

    assert [(one.event_id, one.summary, one.activity) for one in listed.events] == [
        (event["id"], event["summary"], "users.locked")
    ]
    assert [(one.field, one.before, one.after) for one in listed.events[0].changes] == [
        ("state", ("active",), ("locked",))
    ]
    following = await managed.users.bus.call(LIST_EVENTS, ListEvents(limit=1, user_id=id, after=listed.next))
    assert following.events[0].event_id != event["id"]
