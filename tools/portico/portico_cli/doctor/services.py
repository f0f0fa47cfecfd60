from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from portico_runtime.doctor.finding import Finding
from portico_stack.processes.programs import without_portico
from portico_stack.running.service_commands import ServiceCommand, find_service_command

_SECONDS: Final = 120.0


async def check_services(data: Path, services: Sequence[str], email_to: str = "") -> AsyncIterator[Finding]:
    """Services run concurrently, their findings are in order; `email_to` gets a test email, empty for none."""
    looking = [asyncio.create_task(_inspect(data, service, email_to)) for service in services]
    for service, task in zip(services, looking, strict=True):
        for finding in await task:
            yield finding._replace(name=f"{service} {finding.name}".strip())


async def _inspect(data: Path, service: str, email_to: str) -> list[Finding]:
    command = find_service_command(data, service)
    if command is None:
        fix = f"In containers: docker compose exec {service} python -m portico_runtime doctor (docs/guides/doctor.md)."
        return [Finding("", "warning", f"it was not started from {data}: its stores are not checked", fix)]
    more = ("--email-to", email_to) if email_to else ()
    try:
        async with asyncio.timeout(_SECONDS):
            return await _run(command, more)
    except (OSError, TimeoutError) as error:
        fix = f"To see why, run {' '.join(command.argv)} doctor with the settings of portico up."
        return [Finding("", "wrong", f"its checks failed to run ({type(error).__name__})", fix)]


async def _run(command: ServiceCommand, more: Sequence[str]) -> list[Finding]:
    found, failure = await printed_findings((*command.argv, "doctor", "--json", *more), command.settings)
    if failure is None:
        return found
    fix = "Correct its settings and restart it."
    return [*found, Finding("", "wrong", f"its checks failed to run: {failure}", fix)]


async def printed_findings(argv: Sequence[str], settings: Mapping[str, str]) -> tuple[list[Finding], str | None]:
    """Returns the findings that the doctor of a service prints as JSON, and its last error if it did not end."""
    pipe = asyncio.subprocess.PIPE
    environment = {**without_portico(os.environ), **settings}
    process = await asyncio.create_subprocess_exec(*argv, env=environment, stdout=pipe, stderr=pipe)
    try:
        printed, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    found = [Finding(**json.loads(line)) for line in printed.splitlines()]
    if process.returncode in (0, 1) and found:
        return found, None
    return found, "".join(errors.decode(errors="replace").strip().splitlines()[-1:])[:300]
