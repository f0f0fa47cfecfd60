from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import msgspec
from portico_contracts.users.listed_events import LIST_EVENTS, ListedChange, ListedEvent, ListEvents
from portico_contracts.users.republishing import REPUBLISH_EVENTS, LogPosition, RepublishEvents

from portico_cli.bus_calls.operator_calls import call_or_exit
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import timestamp
from portico_cli.terminal.point_in_time import PointInTime

_REPUBLISH_SECONDS: Final = 30.0
_LIST_SECONDS: Final = 15.0
_AT_ONCE: Final = 500
_SIGN_INS: Final = ("signed_in", "signed_out", "signin_failed", "device_approved", "device_denied")
_REFUSALS: Final = ("signin_failed", "refused")


@click.group("events", invoke_without_command=True)
@click.pass_context
def events_command(context: click.Context) -> None:
    """List events, or publish them again.

    Without a subcommand, the last 50 events are listed.
    """
    if context.invoked_subcommand is None:
        context.invoke(list_command)


@events_command.command("republish", short_help="Publish the events of a period again.")
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
            data, REPUBLISH_EVENTS, RepublishEvents(since=since, until=end, after=after), seconds=_REPUBLISH_SECONDS
        )
        count, after = count + portion.count, portion.after
        if after is None:
            break
        click.echo(f"{count} …", err=True)
    click.echo(f"Published {count} events from {timestamp(since)} to {timestamp(end)} again.")


@events_command.command("list", short_help="List events, newest first.")
@click.option(
    "--since", type=PointInTime(), default=None, help="Start: a time (2026-11-24T08:00:00Z) or an age (12h, 7d)."
)
@click.option("--until", type=PointInTime(), default=None, help="End, in the same format.")
@click.option("--user", default="", help="Only events about or by the user with this ID.")
@click.option("--org", default="", help="Only events of the organization with this ID.")
@click.option("--activity", default="", help="Only this activity, such as users.locked.")
@click.option("--sign-ins", is_flag=True, help="Only sign-ins, failed sign-ins and ended sessions.")
@click.option("--refusals", is_flag=True, help="Only failed sign-ins and refused requests.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="Number of events.")
@click.option("--changes", is_flag=True, help="Print the changed values too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@DATA
def list_command(limit: int, changes: bool, as_json: bool, data: Path, **conditions: Any) -> None:
    """List events, newest first, in the sentences of the console's audit."""
    since, until = conditions["since"], conditions["until"]
    if since is not None and until is not None and until <= since:
        raise click.UsageError("--until must be later than --since.")
    for event in _events(data, limit, _request(limit, **conditions)):
        if as_json:
            click.echo(json.dumps(msgspec.to_builtins(event), ensure_ascii=False))
            continue
        click.echo(f"{timestamp(event.at)}  {event.summary}")
        for change in event.changes if changes else ():
            click.echo(f"    {_text_of(change)}")


def _request(
    limit: int,
    *,
    since: float | None,
    until: float | None,
    user: str,
    org: str,
    activity: str,
    sign_ins: bool,
    refusals: bool,
) -> ListEvents:
    types = tuple(dict.fromkeys((*(_SIGN_INS if sign_ins else ()), *(_REFUSALS if refusals else ()))))
    return ListEvents(
        limit=min(limit, _AT_ONCE),
        since=since or 0.0,
        until=until or 0.0,
        types=types,
        activity=activity,
        user_id=user,
        org_id=org,
    )


def _events(data: Path, limit: int, request: ListEvents) -> Iterator[ListedEvent]:
    left = limit
    while left > 0:
        page = call_or_exit(data, LIST_EVENTS, request, seconds=_LIST_SECONDS)
        yield from page.events[:left]
        left -= len(page.events)
        if not page.next:
            return
        request = msgspec.structs.replace(request, after=page.next, limit=min(max(left, 1), _AT_ONCE))


def _text_of(change: ListedChange) -> str:
    before, after = ", ".join(change.before), ", ".join(change.after)
    return f"{change.field}: {before} → {after}" if before or after else change.field
