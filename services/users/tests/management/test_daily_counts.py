"""The daily numbers of sign-ins and refusals."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from portico_contracts.diagnostics import Diagnostic, RecordDiagnostics
from portico_contracts.events import LOGIN_FAILED, LOGIN_SUCCEEDED, SESSION_ENDED, LoginEvent, SessionEvent
from portico_users.audit.sign_ins.daily_counts import DAILY_COUNTS, FAILED, KEPT_DAYS, Counted, DailyCounts
from portico_users.audit.sign_ins.refusals import RefusalLog
from portico_users.audit.sign_ins.sign_in_log import SignInLog
from portico_users.values.names import INSTANCE

pytestmark = pytest.mark.servers

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC).timestamp()
DAY = 86_400.0


class Counting:
    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.org_id: str = managed.org_id
        self.log: SignInLog = managed.users.service.find(SignInLog)
        self.counts: DailyCounts = managed.users.service.find(DailyCounts)
        self.refusals: RefusalLog = managed.users.service.find(RefusalLog)

    def login(self, id: str, at: float = NOON, **more: Any) -> LoginEvent:
        values = {"user_id": f"self-{self.managed.tag}", "client_id": "", "at": at, **more}
        return LoginEvent(event_id=f"{id}-{self.managed.tag}", **values)

    async def days(self, *, until: float = NOON, days: int = 1) -> list[dict[str, Any]]:
        return [msgspec.to_builtins(day) for day in await self.counts.read(self.org_id, until, days)]

    async def refuse(self, *error_ids: str, **more: Any) -> None:
        values = {"org_id": self.org_id, "app_id": "an-app", **more}
        for error_id in error_ids:
            trace = Diagnostic(
                request_id="r", at=NOON, endpoint="token", outcome="refused", error_id=error_id, client_id="c", **values
            )
            await self.refusals.record(RecordDiagnostics(traces=(trace,)))


@pytest.fixture
async def counting(managed: Any) -> Counting:
    return Counting(managed)


def of_day(**numbers: Any) -> dict[str, Any]:
    return {"day": "2031-05-04", "signedIn": 0, "failed": 0, "refused": {}, **numbers}


async def test_batch_adds_its_sign_ins_and_failures(counting: Counting) -> None:
    """The organization is that of the user; ended sessions are not counted."""
    out = SessionEvent(event_id=f"o-{counting.managed.tag}", session_id="s", user_id="u", at=NOON)
    batch: list[Any] = [(LOGIN_SUCCEEDED, counting.login(str(n))) for n in range(3)]
    batch += [(LOGIN_FAILED, counting.login("bad")), (SESSION_ENDED, out)]
    await counting.log.write(batch)
    await counting.log.write([(LOGIN_SUCCEEDED, counting.login("later"))])

    assert await counting.days() == [of_day(signedIn=4, failed=1)]


async def test_redelivered_sign_in_is_counted_once(counting: Counting) -> None:
    for _ in range(2):
        await counting.log.write([(LOGIN_SUCCEEDED, counting.login("twice"))])

    assert await counting.days() == [of_day(signedIn=1)]


async def test_days_are_those_of_utc_and_listed_without_gaps(counting: Counting) -> None:
    midnight = NOON + DAY / 2
    batch = [counting.login("before", midnight - 1), counting.login("at", midnight)]
    await counting.log.write([(LOGIN_SUCCEEDED, body) for body in batch])
    days = await counting.days(until=midnight + DAY, days=4)

    assert [(day["day"][-2:], day["signedIn"]) for day in days] == [("03", 0), ("04", 1), ("05", 1), ("06", 0)]


async def test_failure_of_unknown_user_counts_for_the_application_or_the_instance(counting: Counting) -> None:
    await counting.managed.furnish("owner")
    (app,) = await counting.managed.users.rows("apps", _id=f"app-owner-{counting.managed.tag}")
    (before,) = await counting.counts.read(INSTANCE, NOON, 1)
    unknown = [counting.login("app", user_id="", client_id=app["clientId"]), counting.login("none", user_id="")]
    await counting.log.write([(LOGIN_FAILED, body) for body in unknown])
    (after,) = await counting.counts.read(INSTANCE, NOON, 1)

    assert await counting.days() == [of_day(failed=1)]
    assert after.failed == before.failed + 2


async def test_refusals_are_counted_by_error_and_unknown_errors_together(counting: Counting) -> None:
    """Unknown errors share one number: the document is bounded by the errors of this release."""
    await counting.refuse("AUTHZ-005", "AUTHZ-005", "TOKEN-999999", "$where.x")
    await counting.refuse("AUTHZ-005", org_id="", app_id="")

    assert await counting.days() == [of_day(refused={"AUTHZ-005": 2, "other": 2})]


async def test_issued_tokens_are_no_refusals(counting: Counting) -> None:
    trace = Diagnostic(request_id="r", at=NOON, endpoint="token", outcome="issued", org_id=counting.org_id)
    await counting.refusals.record(RecordDiagnostics(traces=(trace,)))

    assert await counting.days() == [of_day()]


async def test_two_replicas_add_to_the_same_day(counting: Counting) -> None:
    database = counting.managed.users.parts.mongo.database
    replicas = [DailyCounts(database) for _ in range(2)]
    batch = [Counted(counting.org_id, NOON, FAILED)] * 10
    await asyncio.gather(*(replica.add(batch) for replica in replicas for _ in range(5)))

    assert await counting.days() == [of_day(failed=100)]


async def test_numbers_of_a_day_are_one_document_that_expires(counting: Counting) -> None:
    await counting.log.write([(LOGIN_SUCCEEDED, counting.login("in")), (LOGIN_FAILED, counting.login("bad"))])
    await counting.refuse("AUTHZ-005")
    (row,) = await counting.managed.users.rows(DAILY_COUNTS, orgId=counting.org_id)
    indexes = await counting.managed.users.parts.mongo.database[DAILY_COUNTS].index_information()

    assert row["forgetAt"].replace(tzinfo=UTC).timestamp() == NOON - DAY / 2 + KEPT_DAYS * DAY
    assert indexes["forgetAt_1"]["expireAfterSeconds"] == 0
