"""``portico migrate``: migrates stored records to the schema of this release, in batches."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click
from portico_contracts.migrations import MIGRATION_RPCS, BatchMigrated, ListMigrations, MigrateBatch, MigrationState

from portico_cli.bus_calls.operator_calls import call_or_exit
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import refuse

_SECONDS: Final = 60.0
_SOMETHING_TO_DO: Final = 3


@click.command("migrate")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show the remaining migrations without running them. Exit status 3 if there are any.",
)
@DATA
def migrate_command(data: Path, *, dry_run: bool) -> None:
    """Migrate stored records to this release while services run. Can be interrupted and repeated.

    Run it when no replica of the previous release is running, and after every replica has a new master key.
    """
    found = {service: _list(data, service) for service in MIGRATION_RPCS}
    due = [(service, one) for service, listed in found.items() for one in listed if one.left]
    if dry_run:
        _show([(service, one) for service, listed in found.items() for one in listed])
        sys.exit(_SOMETHING_TO_DO if due else 0)
    if not due:
        click.echo("Nothing to migrate.")
        return
    for service, one in due:
        _carry_all(data, service, one)
    _refuse_what_is_left(data)


def _show(migrations: list[tuple[str, MigrationState]]) -> None:
    width = max((len(one.name) for _, one in migrations), default=0)
    for service, one in migrations:
        click.echo(f"{service:<7} {one.name:<{width}} {one.left:>9} left   {one.text}")


def _list(data: Path, service: str) -> tuple[MigrationState, ...]:
    listed = call_or_exit(data, MIGRATION_RPCS[service].list, ListMigrations(), seconds=_SECONDS)
    _refuse_if(service, listed.refused)
    return listed.migrations


def _carry_all(data: Path, service: str, migration: MigrationState) -> None:
    """Runs all batches of a migration; completed batches remain if a later one fails."""
    changed = failed = 0
    after: str | None = ""
    while after is not None:
        portion = _carry(data, service, MigrateBatch(name=migration.name, after=after))
        changed, failed, after = changed + portion.changed, failed + portion.failed, portion.after
        if after is not None:
            click.echo(f"{service} {migration.name}: {changed} of {migration.left} …", err=True)
    lost = f", {failed} could not be rewritten" if failed else ""
    click.echo(f"{service} {migration.name}: {changed} records{lost}")


def _carry(data: Path, service: str, request: MigrateBatch) -> BatchMigrated:
    portion = call_or_exit(data, MIGRATION_RPCS[service].carry, request, seconds=_SECONDS)
    _refuse_if(service, portion.refused)
    return portion


def _refuse_if(service: str, refused: str) -> None:
    if refused:
        refuse(f"refused by {service}: {refused}")


def _refuse_what_is_left(data: Path) -> None:
    """Fails if records remain that an older release wrote meanwhile, or that a missing master key sealed."""
    left = [
        f"{service} {one.name}: {one.left}" for service in MIGRATION_RPCS for one in _list(data, service) if one.left
    ]
    if left:
        refuse(
            f"not migrated: {', '.join(left)}. Either a replica of the previous release changed them: repeat the command once none is running. Or their master key is missing in PORTICO_MASTER_KEYS."
        )
