"""Sign-ins and refusals in the event log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from portico_contracts.diagnostics import Diagnostic, RecordDiagnostics
from portico_contracts.events import (
    DEVICE_APPROVED,
    DEVICE_DENIED,
    LOGIN_FAILED,
    LOGIN_SUCCEEDED,
    SESSION_ENDED,
    LoginEvent,
    SessionEvent,
)
from portico_contracts.subjects import Event
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.audit.sign_ins.refusals import RefusalLog
from portico_users.audit.sign_ins.sign_in_log import FAILED_PER_MINUTE, SignInLog
from portico_users.storage.schema import EVENTS

pytestmark = pytest.mark.servers

Row = dict[str, Any]
LIST = "portico.management.v1.EventService.ListEvents"
DAY = 86_400.0


class SignIns:
    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.tag = managed.tag
        self.user_id = f"self-{managed.tag}"
        self.log: SignInLog = managed.users.service.find(SignInLog)
        self.now = managed.users.parts.clock.now()

    def login(self, id: str, **more: Any) -> LoginEvent:
        values = {"user_id": self.user_id, "client_id": "", "at": self.now, **more}
        return LoginEvent(event_id=f"{id}-{self.tag}", **values)

    async def rows(self, **question: Any) -> list[Row]:
        found = await self.managed.users.rows("events", **question)
        return sorted(found, key=lambda row: float(row["at"]))

    async def failed(self, *bodies: LoginEvent) -> None:
        await self.log.write([(LOGIN_FAILED, body) for body in bodies])


@pytest.fixture
async def sign_ins(managed: Any) -> SignIns:
    await managed.furnish("owner")
    return SignIns(managed)


@pytest.fixture
async def app(sign_ins: SignIns) -> Row:
    (app,) = await sign_ins.managed.users.rows("apps", _id=f"app-owner-{sign_ins.tag}")
    return dict(app)


async def listed(managed: Any, language: str = "en", **conditions: Any) -> list[Row]:
    body, headers = {**conditions, "query": {"limit": 50}}, {"Accept-Language": language}
    response: ApiResponse = await call_as(managed, LIST, body, by="owner", path="", headers=headers)
    assert response.code == 0, response.body
    return list(response.body.get("result", ()))


async def test_sign_in_has_user_application_methods_device_and_country(sign_ins: SignIns, app: Row) -> None:
    """A sign-in is an entry of the time line of the user's organization, with links."""
    body = sign_ins.login(
        "in",
        client_id=app["clientId"],
        methods=("pwd", "otp"),
        device="firefox",
        country="NL",
        skipped_factor="trusted_device",
    )
    await sign_ins.log.write([(LOGIN_SUCCEEDED, body)])
    (event,) = await listed(sign_ins.managed, types=["signed_in"], userId=sign_ins.user_id)
    person = (await sign_ins.managed.get(sign_ins.user_id)).body["user"]["human"]["profile"]["displayName"]

    assert event["summary"] == f"{person} signed in to {app['name']}"
    assert event["activity"] == "signIns.signedIn"
    assert [(one["type"], one["id"]) for one in event["related"]] == [
        ("users", sign_ins.user_id),
        ("apps", app["_id"]),
        ("projects", app["projectId"]),
    ]
    assert {one["field"]: one["after"] for one in event["changes"]} == {
        "methods": ["pwd", "otp"],
        "device": ["firefox"],
        "country": ["NL"],
        "skippedFactor": ["trusted_device"],
    }


async def test_failed_sign_ins_are_counted_by_reason(sign_ins: SignIns, app: Row) -> None:
    """A wrong password and a wrong code within an hour are two rows, each with its number."""
    of_password = [sign_ins.login(f"p{n}", client_id=app["clientId"], failure="wrong_password") for n in range(2)]
    await sign_ins.failed(*of_password, sign_ins.login("t", client_id=app["clientId"], failure="wrong_totp_code"))
    found = await listed(sign_ins.managed, types=["signin_failed"], userId=sign_ins.user_id)

    assert sorted((one["payload"]["failureReason"], one["payload"]["count"]) for one in found) == [
        ("wrong_password", 2),
        ("wrong_totp_code", 1),
    ]


@pytest.mark.parametrize(
    ("event", "type", "verb"),
    [(DEVICE_APPROVED, "device_approved", "approved"), (DEVICE_DENIED, "device_denied", "denied")],
)
async def test_answer_to_a_device_is_an_entry(
    sign_ins: SignIns, app: Row, event: Event[LoginEvent], type: str, verb: str
) -> None:
    body = sign_ins.login(verb, client_id=app["clientId"], device="Firefox, Linux", country="NL")
    await sign_ins.log.write([(event, body)])
    (entry,) = await listed(sign_ins.managed, types=[type], userId=sign_ins.user_id)
    person = (await sign_ins.managed.get(sign_ins.user_id)).body["user"]["human"]["profile"]["displayName"]

    assert entry["summary"] == f"{person} {verb} a sign-in to {app['name']} on a device"


async def test_user_reads_the_own_sign_ins(sign_ins: SignIns, app: Row) -> None:
    """The account page has method, kind of browser and application of a sign-in, and of no other user."""
    other = f"owner-{sign_ins.tag}"
    mine = sign_ins.login("mine", client_id=app["clientId"], methods=("pwd",), device="Firefox", country="NL")
    theirs = sign_ins.login("theirs", user_id=other)
    await sign_ins.log.write([(LOGIN_SUCCEEDED, mine), (LOGIN_SUCCEEDED, theirs)])
    answer = await call_as(
        sign_ins.managed, "portico.management.v1.CallerService.ListMyEvents", {"query": {"limit": 50}}, by="self"
    )
    (event,) = (one for one in answer.body["result"] if one["type"] == "signed_in")

    assert event["activity"] == "signIns.signedIn"
    assert event["payload"] == {"methods": ["pwd"], "device": "Firefox", "country": "NL"}
    assert event["related"] == [{"id": app["_id"], "type": "apps", "name": app["name"]}]


async def test_redelivered_sign_in_is_one_entry(sign_ins: SignIns) -> None:
    body = sign_ins.login("twice")
    for _ in range(2):
        await sign_ins.log.write([(LOGIN_SUCCEEDED, body)])

    assert len(await sign_ins.rows(_id=body.event_id)) == 1


async def test_ended_session_is_an_entry(sign_ins: SignIns) -> None:
    out = SessionEvent(event_id=f"out-{sign_ins.tag}", session_id="s", user_id=sign_ins.user_id, at=sign_ins.now)
    await sign_ins.log.write([(SESSION_ENDED, out)])
    (event,) = await listed(sign_ins.managed, types=["signed_out"], userId=sign_ins.user_id)

    assert event["summary"].startswith("A session of ")


async def test_session_that_another_ended_names_who_did(sign_ins: SignIns) -> None:
    """The history of the user has it, and the filter by editor finds who ended it, and not the user."""
    owner = f"owner-{sign_ins.tag}"
    out = SessionEvent(
        event_id=f"by-{sign_ins.tag}", session_id="s", user_id=sign_ins.user_id, at=sign_ins.now, actor=owner
    )
    await sign_ins.log.write([(SESSION_ENDED, out)])
    (event,) = await listed(sign_ins.managed, types=["signed_out"], userId=sign_ins.user_id)
    by_editor = [
        [one["id"] for one in await listed(sign_ins.managed, types=["signed_out"], editorUserId=editor)]
        for editor in (owner, sign_ins.user_id)
    ]
    answers = [
        await call_as(sign_ins.managed, "portico.management.v1.CallerService.ListMyEvents", {}, by=caller)
        for caller in ("self", "owner")
    ]
    own = [[one["id"] for one in answer.body.get("result", ()) if one["type"] == "signed_out"] for answer in answers]

    assert event["editorUserId"] == owner
    assert by_editor == [[event["id"]], []]
    assert own == [[event["id"]], []]
    assert event["activity"] == "signIns.signedOutBy"
    assert " ended a session of " in event["summary"]


async def test_failed_sign_ins_of_an_hour_are_one_entry_with_a_count(sign_ins: SignIns, app: Row) -> None:
    """Someone who tries again and again adds no entries."""
    hour = sign_ins.now // 3600 * 3600
    at = [sign_ins.login(str(n), client_id=app["clientId"], at=hour + n) for n in range(5)]
    await sign_ins.failed(*at[:3])
    await sign_ins.failed(*at[3:], sign_ins.login("later", client_id=app["clientId"], at=hour + 3601))
    first, second = await sign_ins.rows(action="signin_failed", actor=sign_ins.user_id)

    assert (first["values"]["count"], second["values"]["count"]) == (5, 1)
    assert first["at"] == hour + 4
    event = (await listed(sign_ins.managed, types=["signin_failed"], userId=sign_ins.user_id))[0]
    assert event["summary"].endswith(f" to {app['name']} failed")


async def test_unknown_user_is_counted_by_application(sign_ins: SignIns, app: Row) -> None:
    """The organization of the application sees attempts with unknown names."""
    await sign_ins.failed(*(sign_ins.login(str(n), user_id="", client_id=app["clientId"]) for n in range(7)))
    (row,) = await sign_ins.rows(action="signin_failed", actor="system", orgId=sign_ins.managed.org_id)

    assert row["values"]["count"] == 7
    assert "userId" not in row["values"]


async def test_attack_on_many_users_adds_few_entries(sign_ins: SignIns, app: Row) -> None:
    """Above the limit of a minute, attempts are counted in one entry of the application."""
    many = [sign_ins.login(str(n), user_id=f"u{n}-{sign_ins.tag}", client_id=app["clientId"]) for n in range(300)]
    await sign_ins.failed(*many)
    rows = await sign_ins.rows(action="signin_failed", **{"values.appId": app["_id"]})

    assert len(rows) == FAILED_PER_MINUTE.of_client + 1
    assert sum(row["values"]["count"] for row in rows) == 300


async def test_sign_ins_are_deleted_after_the_configured_time(sign_ins: SignIns) -> None:
    """The database deletes them by an index; changes have no such time and stay."""
    body = sign_ins.login("kept")
    await sign_ins.log.write([(LOGIN_SUCCEEDED, body)])
    (row,) = await sign_ins.rows(_id=body.event_id)
    indexes = await sign_ins.managed.users.parts.mongo.database[EVENTS].index_information()

    assert row["forgetAt"].replace(tzinfo=UTC) == datetime.fromtimestamp(sign_ins.now + 90 * DAY, UTC).replace(
        microsecond=row["forgetAt"].microsecond
    )
    assert indexes["forgetAt_1"]["expireAfterSeconds"] == 0
    assert all("forgetAt" not in one for one in await sign_ins.rows(action="created"))


async def test_refusals_of_a_day_are_one_entry_with_the_last_request(sign_ins: SignIns, app: Row) -> None:
    """An entry has the error, the number and the id of a request whose diagnostics explain it."""
    log: RefusalLog = sign_ins.managed.users.service.find(RefusalLog)
    trace = Diagnostic(
        request_id="first", at=sign_ins.now, endpoint="token", outcome="refused", error_id="AUTHZ-005",
        client_id=app["clientId"], client_known=True, org_id=app["orgId"], app_id=app["_id"],
    )  # fmt: skip
    unknown = msgspec.structs.replace(trace, app_id="", org_id="", client_known=False, request_id="nobody")
    for one in (trace, msgspec.structs.replace(trace, request_id="second"), unknown):
        await log.record(RecordDiagnostics(traces=(one,)))
    (event,) = await listed(sign_ins.managed, errorId="AUTHZ-005")
    (german,) = await listed(sign_ins.managed, "de", errorId="AUTHZ-005")

    assert await listed(sign_ins.managed, errorId="AUTHZ-006") == []
    assert event["summary"] == f"A request of {app['name']} was refused"
    assert (event["payload"]["count"], event["payload"]["requestId"]) == (2, "second")
    assert {one["field"] for one in event["changes"]} == {"count", "endpoint", "errorId", "reason"}
    assert german["payload"]["reason"] == "Die redirect_uri ist für diese Anwendung nicht registriert."


async def test_events_of_the_bus_are_written_in_batches(sign_ins: SignIns) -> None:
    """Authz publishes; users reads what waits, and writes it with one statement."""
    bus = sign_ins.managed.users.bus
    for n in range(3):
        body = sign_ins.login(f"bus{n}")
        await bus.publish(LOGIN_SUCCEEDED, body, event_id=body.event_id)
    await sign_ins.log.run_once()

    assert len(await sign_ins.rows(action="signed_in", actor=sign_ins.user_id)) == 3
