from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncIterator

from portico_runtime.doctor.finding import Finding
from portico_runtime.doctor.schema_examination import examine_schema_version
from portico_runtime.doctor.secrets_examination import examine_master_keys

from portico_keys.app import SCHEMA_VERSION
from portico_keys.settings import Settings


async def examine_more(settings: Settings, _options: argparse.Namespace) -> AsyncIterator[Finding]:
    master_keys = settings.master_keys.get_secret_value()
    for finding in await asyncio.gather(
        examine_schema_version(settings, "keys", SCHEMA_VERSION), examine_master_keys(settings, "keys", master_keys)
    ):
        yield finding
