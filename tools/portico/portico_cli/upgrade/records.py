"""Runs the services' own examination of stored records: `portico_cli` does not import services."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from typing import Final

from portico_runtime.doctor.finding import Finding
from portico_stack.processes import without_portico

SERVICES: Final = ("users", "keys")
"""Services with a database."""

_SECONDS: Final = 300.0


async def examine_records(
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
    environment = {**without_portico(os.environ), **settings, "PORTICO_MONGO_TIMEOUT": "120"}
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", f"portico_{service}", "doctor", "--records", "--json"),
        env=environment,
        stdout=pipe,
        stderr=pipe,
    )
    try:
        async with asyncio.timeout(_SECONDS):
            printed, errors = await process.communicate()
    except TimeoutError:
        return [Finding("records", "wrong", f"not checked within {_SECONDS:.0f} s")]
    finally:
        if process.returncode is None:
            process.kill()
    found = [Finding(**json.loads(line)) for line in printed.splitlines()]
    if process.returncode in (0, 1) and found:
        return found
    last = errors.decode(errors="replace").strip().splitlines()[-1:]
    return [*found, Finding("records", "wrong", f"not checked: {''.join(last)[:300]}")]
