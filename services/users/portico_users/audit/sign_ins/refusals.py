"""Refused requests of applications and users in the event log: one row a day for each error of each of them."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.activities.sign_ins import REFUSED, REQUESTS
from portico_contracts.diagnostics import Diagnostic, DiagnosticOutcome, RecordDiagnostics
from portico_contracts.error_texts import error_text
from portico_runtime.mongo.client import Database, guarded

from portico_users.audit.sign_ins.daily_counts import REFUSED as REFUSED_COUNT
from portico_users.audit.sign_ins.daily_counts import Counted, DailyCounts
from portico_users.audit.sign_ins.rows import DAY, Happened, counted
from portico_users.diagnostics.store import DiagnosticStore
from portico_users.storage.entry import Document
from portico_users.storage.schema import EVENTS
from portico_users.values.operator_settings import SignInLogSeconds


@dataclass(frozen=True, slots=True)
class RefusalLog:
    """Records diagnostics, and counts in the event log those that the limits of the store admitted."""

    database: Database
    store: DiagnosticStore
    retention: SignInLogSeconds
    counts: DailyCounts

    async def record(self, message: RecordDiagnostics) -> None:
        """Raises `unavailable`; the diagnostics are then lost. Requests of unknown clients are counted, not logged."""
        refused = (one for one in message.traces if one.outcome == DiagnosticOutcome.REFUSED)
        await self.counts.add(Counted(_org_of(one), one.at, REFUSED_COUNT, one.error_id) for one in refused)
        admitted = await self.store.record(message)
        logged = [one for one in admitted if one.outcome == DiagnosticOutcome.REFUSED and (one.app_id or one.user_id)]
        updates = [
            counted(happened_in(one), 1, DAY, (one.app_id, one.error_id), one.at + self.retention) for one in logged
        ]
        if updates:
            async with guarded():
                await self.database[EVENTS].bulk_write(updates, ordered=True)


def happened_in(trace: Diagnostic) -> Happened:
    values: Document = {
        "appId": trace.app_id,
        "userId": trace.user_id,
        "errorId": trace.error_id,
        "reason": error_text(trace.error_id).text,
        "endpoint": trace.endpoint,
        "requestId": trace.request_id,
    }
    return Happened(REQUESTS, REFUSED, _org_of(trace), trace.user_id, trace.at, {k: v for k, v in values.items() if v})


def _org_of(trace: Diagnostic) -> str:
    return trace.org_id or trace.user_org_id
