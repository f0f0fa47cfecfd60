"""Diagnostics of refused requests: permissions, limits, and those of management API calls."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from portico_contracts.diagnostics import (
    FIND_TRACE,
    RECORD_TRACES,
    Diagnostic,
    DiagnosticCheck,
    FindDiagnostic,
    Hint,
    RecordDiagnostics,
)
from portico_fakes.management_api import ApiResponse, call_as
from portico_runtime.diagnostics.recorder import DiagnosticsRecorder
from portico_users.diagnostics.store import HINTS, TRACES, DiagnosticStore, explained

pytestmark = pytest.mark.servers

OF = "portico.management.v1.TraceService"
INSTANCE = "portico.admin.v1.TraceService.ListTraces"
CHECK = DiagnosticCheck(
    name="redirect_uri", passed=False, given="https://a.example/", wanted=("https://a.example",), hint="trailing_slash"
)

READERS = [
    ("of_app", {"owner", "viewer", "iam"}),
    ("of_person", {"owner", "viewer", "iam", "self"}),
    ("unknown", {"iam"}),
    ("of_foreign_person", {"foreign", "iam"}),
]


@pytest.fixture
async def stored(managed: Any) -> dict[str, Diagnostic]:
    await managed.furnish("owner")
    await managed.users.parts.mongo.database[TRACES].delete_many({})
    now = managed.users.parts.clock.now()
    base = Diagnostic(
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
    await managed.users.bus.send(RECORD_TRACES, RecordDiagnostics(traces=tuple(traces.values())))
    return traces


async def get(managed: Any, name: str, by: str, language: str = "en") -> ApiResponse:
    path, headers = f"/management/v1/traces/{name}-{managed.tag}", {"Accept-Language": language}
    answer: ApiResponse = await call_as(managed, f"{OF}.GetTrace", {}, by=by, path=path, headers=headers)
    return answer


async def list_of_app(managed: Any, by: str = "owner", **body: Any) -> list[dict[str, Any]]:
    path = f"/management/v1/projects/p-owner-{managed.tag}/apps/app-owner-{managed.tag}/traces/_search"
    answer = await call_as(managed, f"{OF}.ListAppTraces", body, by=by, path=path)
    found: list[dict[str, Any]] = answer.body.get("result", [])
    return found


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize(("name", "readers"), READERS)
async def test_diagnostics_are_limited_to_permitted_readers(managed: Any, name: str, readers: set[str]) -> None:
    """All other callers get the response for an unknown request (MG-04)."""
    unknown = await get(managed, "no-such", "owner")
    answers = {by: await get(managed, name, by) for by in ("self", "robot", "viewer", "owner", "iam", "foreign")}

    assert {by for by, answer in answers.items() if answer.code == 0} == readers
    assert all(answer == unknown for by, answer in answers.items() if by not in readers)
    assert unknown.error_code == "USER-841"


@pytest.mark.usefixtures("stored")
async def test_diagnostics_have_the_texts(managed: Any) -> None:
    """Diagnostics include the texts of the error and of its hint."""
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
async def test_texts_are_in_the_language_of_the_caller(managed: Any) -> None:
    """The error, its correction and the difference are translated; values and names stay as they are."""
    trace = (await get(managed, "of_app", "viewer", "de-CH")).body["trace"]
    [check] = trace["checks"]

    assert trace["text"] == "Die redirect_uri ist für diese Anwendung nicht registriert."
    assert trace["fix"] == "Registrieren Sie genau diese redirect_uri, oder senden Sie eine registrierte."
    assert check["explanation"].startswith("Nur ein Schrägstrich am Ende ist verschieden")
    assert check["name"] == "redirect_uri"


@pytest.mark.usefixtures("stored")
async def test_user_and_values_are_limited_to_their_readers(managed: Any) -> None:
    """The user is shown to callers who may read the user, and compared values to those who may read the application."""
    by_app = (await get(managed, "of_app_and_foreign_person", "owner")).body["trace"]
    by_user = (await get(managed, "of_app_and_foreign_person", "foreign")).body["trace"]

    assert by_app.get("userId", "") == ""
    assert by_app["checks"][0]["given"] == "https://a.example/"
    assert by_user["userId"] == f"foreign-{managed.tag}"
    assert by_user["checks"] == [{"name": "redirect_uri"}]


@pytest.mark.usefixtures("stored")
async def test_diagnostics_of_an_application_are_listed(managed: Any) -> None:
    """Diagnostics of the last 24 hours are listed newest first, and filtered by outcome and time."""
    now = managed.users.parts.clock.now()
    listed = await list_of_app(managed)
    issued = await list_of_app(managed, outcome="TRACE_OUTCOME_ISSUED")
    recent = await list_of_app(managed, since=_rfc3339(now - 5))

    assert [trace["outcome"] for trace in listed] == ["TRACE_OUTCOME_REFUSED"] * 2 + ["TRACE_OUTCOME_ISSUED"]
    assert [trace["requestId"] for trace in issued] == [f"issued-{managed.tag}"]
    assert f"issued-{managed.tag}" not in [trace["requestId"] for trace in recent]
    assert len(recent) == 2


@pytest.mark.usefixtures("stored")
async def test_diagnostics_of_unknown_clients(managed: Any) -> None:
    """Only instance owners read diagnostics without an application and a user."""
    answer = await call_as(managed, INSTANCE, {"unknownClients": True}, by="iam")

    assert [trace["requestId"] for trace in answer.body["result"]] == [f"unknown-{managed.tag}"]


@pytest.mark.usefixtures("stored")
async def test_operator_gets_the_texts(managed: Any) -> None:
    """`portico explain` gets the texts, or nothing for unknown and expired diagnostics."""
    found = await managed.users.bus.call(FIND_TRACE, FindDiagnostic(request_id=f"of_app-{managed.tag}"))
    old = await managed.users.bus.call(FIND_TRACE, FindDiagnostic(request_id=f"too_old-{managed.tag}"))

    assert found.trace.error_id == "AUTHZ-005"
    assert found.checks[0].hint == "Only a trailing slash differs: add or remove it, as in the registered URI."
    assert old.trace is None


@pytest.mark.usefixtures("stored")
async def test_oldest_diagnostics_are_deleted(managed: Any) -> None:
    """Diagnostics of unknown clients have a separate limit."""
    store = managed.users.service.find(DiagnosticStore)
    await store.trim_now(known=2, unknown=1)
    left = await managed.users.parts.mongo.database[TRACES].distinct("requestId", {"isKnown": False})

    assert await managed.users.parts.mongo.database[TRACES].count_documents({"isKnown": True}) <= 2
    assert left == [f"unknown-{managed.tag}"]


async def test_refused_call_is_recorded(managed: Any) -> None:
    """The diagnostics have operation, permission and caller, who may read them."""
    await managed.get(f"self-{managed.tag}", by="robot", headers={"X-Request-Id": f"call-{managed.tag}"})
    await managed.users.service.find(DiagnosticsRecorder).settle()
    [trace] = await _last(managed, 1)

    assert (trace["endpoint"], trace["errorId"], trace["userId"]) == ("management", "USER-312", f"robot-{managed.tag}")
    assert trace["operation"] == "portico.user.v2.UserService.GetUserByID"
    assert trace["checks"] == [
        {"name": "authentication", "passed": True},
        {"name": "permission", "wanted": ["user.read"]},
    ]


async def test_unauthenticated_call_is_recorded(managed: Any) -> None:
    """The diagnostics contain no part of the token (IN-09)."""
    await managed.api.json("portico.user.v2.UserService.ListUsers", {}, token="canary-token")
    await managed.users.service.find(DiagnosticsRecorder).settle()
    [trace] = await _last(managed, 1)

    assert trace["errorId"] == "USER-311"
    assert "canary" not in str(trace)


def test_every_hint_has_a_text() -> None:
    assert set(HINTS) == set(Hint)


def test_a_hint_has_the_sentence_of_its_check() -> None:
    """A key of an identity assertion is not that of a certificate, and nothing is omitted where a resource is refused."""
    sentences = {
        (name, hint): explained(DiagnosticCheck(name=name, passed=False, hint=hint)).hint
        for name, hint in (
            ("client_authentication", "other_key"), ("grant", "other_key"), ("grant", "dpop_off"),
            ("scope", "not_allowed"), ("resource", "not_allowed"),
        )
    }  # fmt: skip

    assert [text.split(" ")[1] for text in sentences.values()] == [
        "certificate",
        "DPoP",
        "assertion",
        "application",
        "settings",
    ]
    assert explained(DiagnosticCheck(name="grant", passed=False, hint="of_tomorrow")).hint == ""


async def _last(managed: Any, count: int) -> list[dict[str, Any]]:
    answer = await call_as(managed, INSTANCE, {"query": {"limit": count}}, by="iam")
    found: list[dict[str, Any]] = answer.body["result"]
    return found


def _rfc3339(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


@pytest.mark.usefixtures("stored")
async def test_diagnostics_of_an_organization_are_listed(managed: Any) -> None:
    """Of its applications only, newest first; the outcome narrows them."""
    body = {"outcome": "TRACE_OUTCOME_REFUSED"}
    listed = (await call_as(managed, f"{OF}.ListOrgTraces", body, by="owner")).body.get("result", [])
    foreign = (await call_as(managed, f"{OF}.ListOrgTraces", body, by="foreign")).body.get("result", [])

    assert {one["requestId"].partition("-")[0] for one in listed} == {"of_app", "of_app_and_foreign_person"}
    assert [one["at"] for one in listed] == sorted((one["at"] for one in listed), reverse=True)
    assert foreign == []
