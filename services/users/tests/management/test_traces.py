"""Traces of refused requests: who may read which, how many there are, and that calls of this API leave them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from portico_contracts.traces import FIND_TRACE, RECORD_TRACES, FindTrace, Hint, RecordTraces, Trace, TraceCheck
from portico_fakes.management_api import ApiResponse, call_as
from portico_runtime.traces.recorder import TraceRecorder
from portico_users.traces import HINTS, TRACES, TraceStore

pytestmark = pytest.mark.servers

OF = "portico.management.v1.TraceService"
INSTANCE = "portico.admin.v1.TraceService.ListTraces"
CHECK = TraceCheck(
    name="redirect_uri", passed=False, given="https://a.example/", wanted=("https://a.example",), hint="trailing_slash"
)

READERS = [
    ("of_app", {"owner", "viewer", "iam"}),
    ("of_person", {"owner", "viewer", "iam", "self"}),
    ("unknown", {"iam"}),
    ("of_foreign_person", {"foreign", "iam"}),
]


@pytest.fixture
async def stored(managed: Any) -> dict[str, Trace]:
    """One trace of each kind, as other services send them."""
    await managed.furnish("owner")
    await managed.users.parts.mongo.database[TRACES].delete_many({})
    now = managed.users.parts.clock.now()
    base = Trace(
        request_id="", at=now, endpoint="authorization", outcome="refused", error_id="AUTHZ-005", checks=(CHECK,)
    )
    app = {
        "client_id": "web",
        "client_known": True,
        "org_id": managed.org_id,
        "project_id": f"p-owner-{managed.tag}",
        "app_id": f"app-owner-{managed.tag}",
    }
    kinds: dict[str, dict[str, Any]] = {
        "of_app": app,
        "of_person": {"user_id": f"self-{managed.tag}", "user_org_id": managed.org_id},
        "unknown": {"client_id": "nobody\u2026"},
        "of_foreign_person": {"user_id": f"foreign-{managed.tag}", "user_org_id": managed.other_org_id},
        "of_app_and_foreign_person": {
            **app,
            "user_id": f"foreign-{managed.tag}",
            "user_org_id": managed.other_org_id,
        },
        "issued": {**app, "outcome": "issued", "error_id": "", "checks": (), "at": now - 10},
        "too_old": {**app, "at": now - 86_400},
    }
    traces = {
        name: msgspec.structs.replace(base, request_id=f"{name}-{managed.tag}", **fields)
        for name, fields in kinds.items()
    }
    await managed.users.bus.send(RECORD_TRACES, RecordTraces(traces=tuple(traces.values())))
    return traces


async def get(managed: Any, name: str, by: str) -> ApiResponse:
    """Reads the trace of a kind."""
    path = f"/management/v1/traces/{name}-{managed.tag}"
    answer: ApiResponse = await call_as(managed, f"{OF}.GetTrace", {}, by=by, path=path)
    return answer


async def list_of_app(managed: Any, by: str = "owner", **body: Any) -> list[dict[str, Any]]:
    """The traces of the application."""
    path = f"/management/v1/projects/p-owner-{managed.tag}/apps/app-owner-{managed.tag}/traces/_search"
    answer = await call_as(managed, f"{OF}.ListAppTraces", body, by=by, path=path)
    found: list[dict[str, Any]] = answer.body.get("result", [])
    return found


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize(("name", "readers"), READERS)
async def test_a_trace_is_for_those_who_may_read_what_it_is_about(managed: Any, name: str, readers: set[str]) -> None:
    """All others get the answer for an unknown request (MG-04)."""
    unknown = await get(managed, "no-such", "owner")
    answers = {by: await get(managed, name, by) for by in ("self", "robot", "viewer", "owner", "iam", "foreign")}

    assert {by for by, answer in answers.items() if answer.code == 0} == readers
    assert all(answer == unknown for by, answer in answers.items() if by not in readers)
    assert unknown.error_code == "USER-841"


@pytest.mark.usefixtures("stored")
async def test_a_trace_says_what_to_change(managed: Any) -> None:
    """With the sentences of its error and of its hint."""
    trace = (await get(managed, "of_app", "viewer")).body["trace"]

    assert trace["fix"] == "Register exactly this redirect_uri, or send one that is registered."
    assert trace["checks"] == [
        {
            "name": "redirect_uri",
            "given": "https://a.example/",
            "wanted": ["https://a.example"],
            "hint": "trailing_slash",
            "explanation": "Only a trailing slash differs: add or remove it, as in the registered URI.",
        }
    ]


@pytest.mark.usefixtures("stored")
async def test_the_user_is_shown_to_those_who_may_read_the_user(managed: Any) -> None:
    """And what was compared to those who may read the application."""
    by_app = (await get(managed, "of_app_and_foreign_person", "owner")).body["trace"]
    by_user = (await get(managed, "of_app_and_foreign_person", "foreign")).body["trace"]

    assert by_app.get("userId", "") == ""
    assert by_app["checks"][0]["given"] == "https://a.example/"
    assert by_user["userId"] == f"foreign-{managed.tag}"
    assert by_user["checks"] == [{"name": "redirect_uri"}]


@pytest.mark.usefixtures("stored")
async def test_the_traces_of_an_application_come_newest_first(managed: Any) -> None:
    """Of this application, of the last 24 hours, by outcome and time."""
    now = managed.users.parts.clock.now()
    listed = await list_of_app(managed)
    issued = await list_of_app(managed, outcome="TRACE_OUTCOME_ISSUED")
    recent = await list_of_app(managed, since=_rfc3339(now - 5))

    assert [trace["outcome"] for trace in listed] == ["TRACE_OUTCOME_REFUSED"] * 2 + ["TRACE_OUTCOME_ISSUED"]
    assert [trace["requestId"] for trace in issued] == [f"issued-{managed.tag}"]
    assert f"issued-{managed.tag}" not in [trace["requestId"] for trace in recent]
    assert len(recent) == 2


@pytest.mark.usefixtures("stored")
async def test_the_instance_sees_unknown_clients(managed: Any) -> None:
    """Only its administrators read what belongs to no application and to no user."""
    answer = await call_as(managed, INSTANCE, {"unknownClients": True}, by="iam")

    assert [trace["requestId"] for trace in answer.body["result"]] == [f"unknown-{managed.tag}"]


@pytest.mark.usefixtures("stored")
async def test_the_operator_gets_the_sentences(managed: Any) -> None:
    """For `portico explain`; nothing where there is none, or none any more."""
    found = await managed.users.bus.call(FIND_TRACE, FindTrace(request_id=f"of_app-{managed.tag}"))
    old = await managed.users.bus.call(FIND_TRACE, FindTrace(request_id=f"too_old-{managed.tag}"))

    assert found.trace.error_id == "AUTHZ-005"
    assert found.checks[0].hint == "Only a trailing slash differs: add or remove it, as in the registered URI."
    assert old.trace is None


@pytest.mark.usefixtures("stored")
async def test_the_oldest_are_dropped(managed: Any) -> None:
    """Beyond the cap, and those of unknown clients apart from the others."""
    store = managed.users.service.find(TraceStore)
    await store.trim_now(known=2, unknown=1)
    left = await managed.users.parts.mongo.database[TRACES].distinct("requestId", {"isKnown": False})

    assert await managed.users.parts.mongo.database[TRACES].count_documents({"isKnown": True}) <= 2
    assert left == [f"unknown-{managed.tag}"]


async def test_a_refused_call_leaves_a_trace(managed: Any) -> None:
    """With the operation, the permission, and the caller, who may read it."""
    await managed.get(f"self-{managed.tag}", by="robot", headers={"X-Request-Id": f"call-{managed.tag}"})
    await managed.users.service.find(TraceRecorder).settle()
    [trace] = await _last(managed, 1)

    assert (trace["endpoint"], trace["errorId"], trace["userId"]) == ("management", "USER-312", f"robot-{managed.tag}")
    assert trace["operation"] == "portico.user.v2.UserService.GetUserByID"
    assert trace["checks"] == [
        {"name": "authentication", "passed": True},
        {"name": "permission", "wanted": ["user.read"]},
    ]


async def test_a_call_without_an_active_token_leaves_a_trace(managed: Any) -> None:
    """Nothing of the token is in it (IN-09)."""
    await managed.api.json("portico.user.v2.UserService.ListUsers", {}, token="canary-token")
    await managed.users.service.find(TraceRecorder).settle()
    [trace] = await _last(managed, 1)

    assert trace["errorId"] == "USER-311"
    assert "canary" not in str(trace)


def test_every_hint_has_a_sentence() -> None:
    """A hint that is added states what differs."""
    assert set(HINTS) == set(Hint)


async def _last(managed: Any, count: int) -> list[dict[str, Any]]:
    answer = await call_as(managed, INSTANCE, {"query": {"limit": count}}, by="iam")
    found: list[dict[str, Any]] = answer.body["result"]
    return found


def _rfc3339(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
