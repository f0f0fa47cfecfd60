"""What this release would change in the stored records: ``python -m portico_users doctor --records``. Read-only."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator

from portico_oauth.errors import ServiceError
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.doctor.finding import Finding
from portico_runtime.doctor.migrations import check_migrations
from portico_runtime.mongo.client import MongoClient
from portico_runtime.mongo.migrations import Migrations
from portico_runtime.process.clock import SystemClock
from portico_runtime.redis.client import RedisClient
from portico_runtime.versioned_cache.versions import RedisVersions

from portico_users.assembly.externals import Externals
from portico_users.assembly.service import Service
from portico_users.settings import Settings
from portico_users.storage.schema import Schema


async def check_upgrade(settings: Settings) -> AsyncIterator[Finding]:
    mongo = MongoClient(settings, "users")
    # Neither the bus nor Redis is connected: only queries of MongoDB are used.
    versions = RedisVersions(RedisClient(settings, "users"), secrets.token_bytes)
    bus = NatsBus.of(settings, "users")
    service = Service(settings, Externals(mongo, bus, SystemClock(), secrets.token_bytes, versions))
    try:
        yield await check_migrations(service.find(Migrations))
        yield await _check_indexes(service.find(Schema))
    except ServiceError:
        return  # the findings before name the failure of MongoDB
    finally:
        await mongo.close()


async def _check_indexes(schema: Schema) -> Finding:
    missing = await schema.list_missing()
    if not missing:
        return Finding("indexes", "ok", "all indexes exist")
    number = sum(len(names) for _, _, names in missing)
    largest = sorted(missing, key=lambda one: -one[1])
    texts = [
        f"{len(names)} on {collection} ({count:,} {'document' if count == 1 else 'documents'})"
        for collection, count, names in largest
        if count
    ]
    listed = f": {', '.join(texts)}" if texts else ", all on empty collections"
    return Finding("indexes", "ok", f"users creates {number} indexes at its first start{listed}")
