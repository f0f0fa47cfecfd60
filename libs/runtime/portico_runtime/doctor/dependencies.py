from __future__ import annotations

from collections.abc import AsyncIterator

from portico_runtime.doctor.bus import check_bus
from portico_runtime.doctor.finding import Finding, side_by_side
from portico_runtime.doctor.mongo import check_mongo
from portico_runtime.doctor.outbound import check_outbound
from portico_runtime.doctor.redis import check_redis
from portico_runtime.doctor.secret_files import check_secret_files
from portico_runtime.settings.section import Section
from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.settings.sections.mongo import MongoSection
from portico_runtime.settings.sections.outbound import OutboundSection
from portico_runtime.settings.sections.redis import RedisSection


async def check_dependencies(settings: Section, user: str) -> AsyncIterator[Finding]:
    yield check_secret_files()
    checks: list[AsyncIterator[Finding]] = []
    if isinstance(settings, MongoSection):
        checks.append(check_mongo(settings, user))
    if isinstance(settings, RedisSection):
        checks.append(check_redis(settings, user))
    if isinstance(settings, BusSection):
        checks.append(check_bus(settings, user))
    if isinstance(settings, OutboundSection):
        checks.append(check_outbound(settings))
    async for finding in side_by_side(*checks):
        yield finding
