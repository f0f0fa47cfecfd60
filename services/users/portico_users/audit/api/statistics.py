"""Numbers of the last 30 days of an organization or the instance, and what needs attention."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Iterable
from typing import Final

from portico_contracts.generated.portico.admin.v1 import statistics_service_pb2 as admin
from portico_contracts.generated.portico.management.v1 import statistics_service_pb2 as pb
from portico_runtime.process.clock import Clock
from portico_web.languages import Language

from portico_users.administrators.permissions import Permission
from portico_users.applications.store import APPS
from portico_users.audit.api.attention import FindAttention, Found
from portico_users.audit.sign_ins.daily_counts import DailyCounts, DayCounts
from portico_users.audit.sign_ins.user_numbers import CountUsers
from portico_users.instance.instance import Instance
from portico_users.management_api.protobuf.error_reasons import reason_of
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import Org
from portico_users.service_users.service_user import SERVICE_USERS
from portico_users.values.names import INSTANCE

DAYS: Final = 30

MOST_REASONS: Final = 10


async def get_statistics(
    call: Call[Org],
    _request: pb.GetStatisticsRequest,
    *,
    counts: DailyCounts,
    users: CountUsers,
    attention: FindAttention,
    clock: Clock,
) -> pb.GetStatisticsResponse:
    org_id, may = call.target.subject.id, call.caller.may
    days, found = await asyncio.gather(
        counts.read(org_id, clock.now(), DAYS),
        _together(
            attention.administrators(org_id) if may(Permission.ORG_MEMBER_READ, org_id) else None,
            attention.webhooks(org_id) if may(Permission.ORG_WEBHOOK_READ, org_id) else None,
            attention.scim_targets(org_id) if may(Permission.ORG_SCIM_READ, org_id) else None,
            attention.certificates(org_id) if may(Permission.ORG_IDP_READ, org_id) else None,
            attention.addresses(org_id) if may(Permission.USER_READ, org_id) else None,
            attention.secrets(org_id, APPS.name) if may(Permission.PROJECT_APP_READ, org_id) else None,
            attention.secrets(org_id, SERVICE_USERS.name) if may(Permission.USER_READ, org_id) else None,
        ),
    )
    statistics = _statistics(days, found, call.language)
    if may(Permission.USER_READ, org_id):
        statistics.users.CopyFrom(pb.UserNumbers(**(await users.count(org_id))._asdict()))
    return pb.GetStatisticsResponse(statistics=statistics)


async def get_instance_statistics(
    call: Call[Instance],
    _request: admin.GetStatisticsRequest,
    *,
    counts: DailyCounts,
    users: CountUsers,
    attention: FindAttention,
    clock: Clock,
) -> admin.GetStatisticsResponse:
    """Callers that may read the instance may read its administrators, webhooks, providers and keys, too."""
    days, numbers, found = await asyncio.gather(
        counts.read(INSTANCE, clock.now(), DAYS),
        users.count(""),
        _together(
            attention.administrators(INSTANCE),
            attention.emails(),
            attention.signing_keys(),
            attention.webhooks(INSTANCE),
            attention.certificates(INSTANCE),
        ),
    )
    statistics = _statistics(days, found, call.language)
    statistics.users.CopyFrom(pb.UserNumbers(**numbers._asdict()))
    return admin.GetStatisticsResponse(statistics=statistics)


async def _together(*asked: Awaitable[Found] | None) -> Found:
    found = await asyncio.gather(*(one for one in asked if one is not None))
    return [item for items in found for item in items]


def _statistics(days: Iterable[DayCounts], attention: Found, language: Language) -> pb.Statistics:
    reasons: Counter[str] = Counter()
    messages = []
    for day in days:
        reasons.update(day.refused)
        messages.append(
            pb.DayNumbers(
                date=day.day, sign_ins=day.signed_in, failed_sign_ins=day.failed, refusals=sum(day.refused.values())
            )
        )
    refusals = [_refusal(error_id, count, language) for error_id, count in reasons.most_common(MOST_REASONS)]
    return pb.Statistics(days=messages, refusals=refusals, attention=attention)


def _refusal(error_id: str, count: int, language: Language) -> pb.RefusalNumber:
    reason = reason_of(error_id, language)
    return pb.RefusalNumber(error_id=error_id, text=reason.text, fix=reason.fix, count=count)
