from __future__ import annotations

from collections.abc import AsyncIterator

from portico_runtime.doctor.bus_examination import examine_bus
from portico_runtime.doctor.finding import Finding, side_by_side
from portico_runtime.doctor.mongo_examination import examine_mongo
from portico_runtime.doctor.outbound_examination import examine_outbound
from portico_runtime.doctor.redis_examination import examine_redis
from portico_runtime.doctor.secret_files import examine_secret_files
from portico_runtime.settings import BusSection, MongoSection, OutboundSection, RedisSection, Section


async def examine(settings: Section, user: str) -> AsyncIterator[Finding]:
    yield examine_secret_files()
    checks: list[AsyncIterator[Finding]] = []
    if isinstance(settings, MongoSection):
        checks.append(examine_mongo(settings, user))
    if isinstance(settings, RedisSection):
        checks.append(examine_redis(settings, user))
    if isinstance(settings, BusSection):
        checks.append(examine_bus(settings, user))
    if isinstance(settings, OutboundSection):
        checks.append(examine_outbound(settings))
    async for finding in side_by_side(*checks):
        yield finding
