from __future__ import annotations

import argparse
from collections.abc import AsyncIterator

from portico_runtime.doctor.finding import Finding
from portico_runtime.doctor.schema_examination import examine_schema_version

from portico_keys.app import SCHEMA_VERSION
from portico_keys.settings import Settings


async def examine_more(settings: Settings, _options: argparse.Namespace) -> AsyncIterator[Finding]:
    yield await examine_schema_version(settings, "keys", SCHEMA_VERSION)
