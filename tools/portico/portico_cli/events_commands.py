from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import click
from portico_contracts.users.republishing import REPUBLISH_EVENTS, LogPosition, RepublishEvents

from portico_cli.command_line import DATA, call_or_exit, timestamp
from portico_cli.events_list_command import list_command
from portico_cli.point_in_time import PointInTime

_SECONDS: Final = 30.0


@click.group("events", invoke_without_command=True)
@click.pass_context
def events_group(context: click.Context) -> None:
    """List events, or publish them again.

    Without a subcommand, the last 50 events are listed.
    """
    if context.invoked_subcommand is None:
        context.invoke(list_command)


events_group.add_command(list_command)


@events_group.command("republish", short_help="Publish the events of a period again.")
@click.option(
    "--since", required=True, type=PointInTime(), help="Start: a time (2026-11-24T08:00:00Z) or an age (90m, 12h, 7d)."
)
@click.option("--until", type=PointInTime(), help="End, in the same format. Default: now.")
@DATA
def republish_command(since: float, until: float | None, data: Path) -> None:
    """Publish the events of a period again, for example after NATS lost its data.

    They keep their ids, by which consumers detect duplicates.
    """
    end = time.time() if until is None else until
    if end <= since:
        raise click.UsageError("--until must be later than --since.")
    count = 0
    after: LogPosition | None = None
    while True:
        portion = call_or_exit(
            data, REPUBLISH_EVENTS, RepublishEvents(since=since, until=end, after=after), seconds=_SECONDS
        )
        count, after = count + portion.count, portion.after
        if after is None:
            break
        click.echo(f"{count} …", err=True)
    click.echo(f"Published {count} events from {timestamp(since)} to {timestamp(end)} again.")
