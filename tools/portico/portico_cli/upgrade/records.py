"""Runs the services' own checks of stored records: `portico_cli` does not import services."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from typing import Final

from portico_runtime.doctor.finding import Finding

from portico_cli.doctor.services import printed_findings

SERVICES: Final = ("users", "keys")
"""Services with a database."""

_SECONDS: Final = 300.0


async def check_records(
    url: str, passwords: Mapping[str, str], master_keys: Mapping[str, str]
) -> AsyncIterator[Finding]:
    """Checks the records of both databases by this release's code; `url` has no credentials. Read-only."""
    runs = [asyncio.create_task(_run(service, url, passwords[service], master_keys[service])) for service in SERVICES]
    for service, run in zip(SERVICES, runs, strict=True):
        for finding in await run:
            yield finding._replace(name=f"{service} {finding.name}")


async def _run(service: str, url: str, password: str, master_keys: str) -> list[Finding]:
    settings = {"PORTICO_MONGO_URL": url, "PORTICO_MONGO_PASSWORD": password, "PORTICO_MASTER_KEYS": master_keys}
    # One query may count the records of a large collection.
    settings["PORTICO_MONGO_TIMEOUT"] = "120"
    argv = (sys.executable, "-m", f"portico_{service}", "doctor", "--records", "--json")
    try:
        async with asyncio.timeout(_SECONDS):
            found, failure = await printed_findings(argv, settings)
    except TimeoutError:
        return [Finding("records", "wrong", f"not checked within {_SECONDS:.0f} s")]
    return found if failure is None else [*found, Finding("records", "wrong", f"not checked: {failure}")]
