from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import click
from portico_stack.running import status
from portico_stack.running.record import find_running

from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import refuse


@click.command("status")
@DATA
def status_command(data: Path) -> None:
    """Show the status of each part of the running stack."""
    running = find_running(data)
    if running is None:
        refuse(f"No stack is running from {data}.")
    states = asyncio.run(status.ask_all(running))
    for state in states:
        click.echo(f"  {state.name:<12} {state.text}")
    sys.exit(0 if all(state.ready for state in states) else 1)
