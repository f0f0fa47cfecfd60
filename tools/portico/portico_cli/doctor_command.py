"""``portico doctor``: whether an installation works, and what will become slow."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import click

from portico_cli.command_line import DATA, operator_login
from portico_cli.doctor import examine


@click.command("doctor")
@DATA
def doctor_command(data: Path) -> None:
    """Check settings, services, the stream of events, clocks, and hashes that take long here."""
    data = data.expanduser().resolve()
    url, password = operator_login(data)

    async def run() -> bool:
        is_well = True
        async for finding in examine(data, url, password):
            mark = "" if finding.level == "ok" else f"{finding.level}: "
            click.echo(f"  {finding.name:<12} {mark}{finding.text}")
            is_well = is_well and finding.level != "wrong"
        return is_well

    sys.exit(0 if asyncio.run(run()) else 1)
