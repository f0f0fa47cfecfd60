from __future__ import annotations

from collections.abc import AsyncIterator

from portico_runtime.doctor.bus_examination import examine_bus
from portico_runtime.doctor.finding import Finding
from portico_runtime.doctor.mongo_examination import examine_mongo
from portico_runtime.doctor.outbound_examination import examine_outbound
from portico_runtime.doctor.redis_examination import examine_redis
from portico_runtime.doctor.secret_files import examine_secret_files
from portico_runtime.settings import BusSection, MongoSection, OutboundSection, RedisSection, Section


async def examine(settings: Section, user: str) -> AsyncIterator[Finding]:
    yield examine_secret_files()
    if isinstance(settings, MongoSection):
        async for finding in examine_mongo(settings, user):
            yield finding
    if isinstance(settings, RedisSection):
        async for finding in examine_redis(settings, user):
            yield finding
    if isinstance(settings, BusSection):
        async for finding in examine_bus(settings, user):
            yield finding
    if isinstance(settings, OutboundSection):
        async for finding in examine_outbound(settings):
            yield finding
