"""Writes the sign-ins, failed sign-ins and sign-outs that authz publishes: in batches, outside of any request.

Other uses of these events, such as counters, belong to `SignInLog.write`: the events reach it once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from portico_contracts import events
from portico_contracts.activities.sign_ins import (
    DEVICE_APPROVED,
    DEVICE_DENIED,
    SIGN_IN_FAILED,
    SIGN_INS,
    SIGNED_IN,
    SIGNED_OUT,
    TRUST_ENDED,
    TRUST_STARTED,
)
from portico_contracts.events import LOGIN_SUCCEEDED, SIGN_IN_LOG, LoginEvent, SessionEvent
from portico_contracts.subjects import Event
from portico_runtime.diagnostics.limits import MinuteLimit, PerMinute
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from pymongo import UpdateOne

from portico_users.accounts.store import ACCOUNTS
from portico_users.applications.store import APPS
from portico_users.audit.sign_ins.daily_counts import FAILED, Counted, DailyCounts
from portico_users.audit.sign_ins.daily_counts import SIGNED_IN as COUNTED_SIGN_IN
from portico_users.audit.sign_ins.last_sign_ins import LastSignIns
from portico_users.audit.sign_ins.rows import HOUR, Happened, counted, single
from portico_users.bus import Bus
from portico_users.storage.entry import Document
from portico_users.storage.schema import EVENTS
from portico_users.values.operator_settings import SignInLogSeconds

FETCH_SECONDS: Final = 1.2
"""How long a batch collects events; with the time to write it less than the redelivery timeout of the stream."""

FAILED_PER_MINUTE: Final = PerMinute(of_client=20, in_all=60)
"""New rows of failed sign-ins with a user; further ones are counted in one row of the application."""

_ACTIONS: Final = {
    events.LOGIN_SUCCEEDED.subject: SIGNED_IN,
    events.LOGIN_FAILED.subject: SIGN_IN_FAILED,
    events.DEVICE_APPROVED.subject: DEVICE_APPROVED,
    events.DEVICE_DENIED.subject: DEVICE_DENIED,
    events.TRUST_STARTED.subject: TRUST_STARTED,
    events.TRUST_ENDED.subject: TRUST_ENDED,
}

Received = tuple[Event[Any], LoginEvent | SessionEvent]


class _App(NamedTuple):
    id: str = ""
    org_id: str = ""


class _Repeated(NamedTuple):
    user_id: str
    client_id: str
    failure: str
    hour: int


class SignInLog:
    """An event that is redelivered is written and counted once; only failed sign-ins may be counted twice then.

    Where a replica stops between the two, the sign-ins of this batch are missing from the daily counts.
    """

    def __init__(
        self,
        bus: Bus,
        database: Database,
        clock: Clock,
        retention: SignInLogSeconds,
        last: LastSignIns,
        counts: DailyCounts,
    ) -> None:
        self._bus = bus
        self._database = database
        self._retention = retention
        self._limit = MinuteLimit(clock, FAILED_PER_MINUTE)
        self._last = last
        self._counts = counts

    async def run_once(self) -> None:
        await self._bus.consume_batch(SIGN_IN_LOG, self.write, seconds=FETCH_SECONDS)

    async def write(self, received: Sequence[Received]) -> None:
        """Raises `unavailable`; the events are delivered again."""
        orgs = await self._orgs_of({body.user_id for _, body in received if body.user_id})
        apps = await self._apps_of({body.client_id for _, body in received if body.client_id})
        several: Counter[_Repeated] = Counter()
        latest: dict[_Repeated, Happened] = {}
        updates: list[UpdateOne] = []
        singles: list[Happened] = []
        counted: list[Counted] = []
        for event, body in received:
            one = self._happened(event, body, orgs, apps)
            if one.action == SIGN_IN_FAILED:
                key = _Repeated(one.user_id, body.client_id, one.values.get("failureReason", ""), int(one.at // HOUR))
                several[key] += 1
                latest[key] = one
                counted.append(Counted(one.org_id, one.at, FAILED))
            else:
                updates.append(single(body.event_id, one, one.at + self._retention))
                singles.append(one)
        updates += self._failed(several, latest)
        async with guarded():
            written = await self._database[EVENTS].bulk_write(updates, ordered=False)
        new = (one for place, one in enumerate(singles) if place in (written.upserted_ids or ()))
        counted += [Counted(one.org_id, one.at, COUNTED_SIGN_IN) for one in new if one.action == SIGNED_IN]
        await self._counts.add(counted)
        await self._last.write(_last_of(received))

    def _failed(self, several: Mapping[_Repeated, int], latest: Mapping[_Repeated, Happened]) -> Iterator[UpdateOne]:
        for key, count in several.items():
            one = latest[key]
            if key.user_id and not self._limit.admits(key.client_id):
                one = one._replace(user_id="", values={k: v for k, v in one.values.items() if k != "userId"})
            yield counted(one, count, HOUR, (key.client_id, key.failure), one.at + self._retention)

    def _happened(
        self, event: Event[Any], body: LoginEvent | SessionEvent, orgs: Mapping[str, str], apps: Mapping[str, _App]
    ) -> Happened:
        app = apps.get(body.client_id, _App())
        values: Document = {"userId": body.user_id, "appId": app.id, "clientId": body.client_id}
        action, actor = SIGNED_OUT, ""
        if isinstance(body, LoginEvent):
            action = _ACTIONS[event.subject]
            values |= {"methods": list(body.methods), "device": body.device, "country": body.country}
            values |= {"skippedFactor": body.skipped_factor, "failureReason": body.failure, "rule": body.rule}
        else:
            actor = values["endedBy"] = body.actor
        org_id = orgs.get(body.user_id) or app.org_id
        known = {name: value for name, value in values.items() if value}
        return Happened(SIGN_INS, action, org_id, body.user_id, body.at, known, actor)

    async def _orgs_of(self, ids: Iterable[str]) -> dict[str, str]:
        rows = await self._find(ACCOUNTS.name, "_id", ids)
        return {row["_id"]: row["orgId"] for row in rows}

    async def _apps_of(self, client_ids: Iterable[str]) -> dict[str, _App]:
        rows = await self._find(APPS.name, "clientId", client_ids)
        return {row["clientId"]: _App(row["_id"], row["orgId"]) for row in rows}

    async def _find(self, table: str, member: str, values: Iterable[str]) -> list[Document]:
        wanted = sorted(values)
        if not wanted:
            return []
        async with guarded():
            rows = self._database[table].find({member: {"$in": wanted}}, {"orgId": 1, "clientId": 1})
            return await rows.to_list(len(wanted))


def _last_of(received: Sequence[Received]) -> dict[str, float]:
    signed_in = [body for event, body in received if event.subject == LOGIN_SUCCEEDED.subject]
    return {body.user_id: body.at for body in sorted(signed_in, key=lambda body: body.at)}
