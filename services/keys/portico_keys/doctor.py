from __future__ import annotations

import argparse
import asyncio
import secrets
from collections.abc import AsyncIterator

from portico_oauth.errors import ServiceError
from portico_oauth.master_keys import MasterKeys
from portico_runtime.doctor.finding import Finding
from portico_runtime.doctor.master_keys import check_master_keys
from portico_runtime.doctor.migrations import check_migrations
from portico_runtime.doctor.schema_version import check_schema_version
from portico_runtime.mongo.client import MongoClient
from portico_runtime.mongo.migrations import Migrations
from portico_runtime.mongo.schema_version import StoredSchema

from portico_keys.app import SCHEMA_VERSION
from portico_keys.migrations import migrations_of
from portico_keys.mongo_keys import MongoKeys
from portico_keys.settings import Settings
from portico_keys.signing.rewrap import Rewrap


async def own_checks(settings: Settings, options: argparse.Namespace) -> AsyncIterator[Finding]:
    master_keys = settings.master_keys.get_secret_value()
    for finding in await asyncio.gather(
        check_schema_version(settings, "keys", SCHEMA_VERSION), check_master_keys(settings, "keys", master_keys)
    ):
        yield finding
    if options.records:
        async for finding in _check_migrations(settings):
            yield finding


async def _check_migrations(settings: Settings) -> AsyncIterator[Finding]:
    mongo = MongoClient(settings, "keys")
    master_keys = MasterKeys.read(settings.master_keys.get_secret_value())
    form = StoredSchema(mongo.database, "keys", SCHEMA_VERSION)
    try:
        rewrap = Rewrap(MongoKeys(mongo.database), master_keys, secrets.token_bytes)
        yield await check_migrations(Migrations(form, migrations_of(rewrap)))
    except ServiceError:
        return  # reported above
    finally:
        await mongo.close()
