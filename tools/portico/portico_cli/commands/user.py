from __future__ import annotations

import asyncio
import io
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import click
from portico_contracts.csv_files.user_columns import BY_WORD
from portico_contracts.users import IMPORT_USERS, ImportUsers
from portico_conversion.users.ldif import is_ldif
from portico_oauth.errors import ServiceError
from portico_stack.running.operator_bus import operator_bus

from portico_cli.bus_calls.operator_calls import describe, operator_login
from portico_cli.commands.user_convert import convert_command
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import refuse, report_for_owner
from portico_cli.terminal.progress import progress
from portico_cli.terminal.stopped import told_when_stopped
from portico_cli.user_import.csv_rows import CsvError, read_csv
from portico_cli.user_import.importing import Importing
from portico_cli.user_import.lines import Line, batches, other_format, read_lines
from portico_cli.user_import.pipe import LOOKED_AT, reading
from portico_cli.user_import.results import ResultPrinter


@click.group("user")
def user_command() -> None:
    """Import users, also from other systems."""


user_command.add_command(convert_command)


@user_command.command("import", short_help="Create a user for each line of a file.")
@click.argument("file", type=click.File("rb"))
@click.option("--csv", "is_csv", is_flag=True, help="FILE is CSV with a line of titles, one user per line.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="TITLE=FIELD",
    help=f"With --csv: the field of a column whose title is not recognized, one of {', '.join(BY_WORD)}; empty to skip it. Can be repeated.",
)
@click.option("--verified", is_flag=True, help="With --csv: the email addresses are verified.")
@click.option(
    "--dry-run", is_flag=True, help="Check every row without importing it. Exit status 1 if a row is invalid."
)
@click.option("--organization", "org_id", default="", metavar="ID", help="Organization of the rows that name none.")
@click.option(
    "--report", type=click.Path(dir_okay=False, path_type=Path), help="File for the results, one line of JSON per row."
)
@click.option(
    "--at-once", type=click.IntRange(1, 8), default=2, show_default=True, help="Number of batches sent in parallel."
)
@DATA
def import_command(
    file: BinaryIO,
    data: Path,
    org_id: str,
    report: Path | None,
    at_once: int,
    columns: tuple[str, ...],
    *,
    dry_run: bool,
    is_csv: bool,
    verified: bool,
) -> None:
    """Create a user for each line of FILE (- for standard input): the JSON body of POST /v2/users/human, or CSV.

    Users who already exist with the same data are left unchanged, so an interrupted import can be run again.
    """
    if (columns or verified) and not is_csv:
        raise click.UsageError("--column and --verified need --csv.")
    if report and report.exists() and _is_same(file, report):
        raise click.UsageError("--report is the input file.")
    url, password = operator_login(data)
    with ExitStack() as opened:
        source = opened.enter_context(reading(file))
        lines = _csv_lines(source, columns, verified=verified) if is_csv else _json_lines(source)
        bar = opened.enter_context(progress("Checking" if dry_run else "Importing", _size_of(file)))
        write = opened.enter_context(report_for_owner(report)) if report else None
        printer = ResultPrinter(write, bar, dry_run=dry_run)
        bar.details = printer.counts

        async def run() -> None:
            async with operator_bus(url, password) as bus, bar.kept_up():
                like = ImportUsers(rows=(), org_id=org_id, check=dry_run, import_id=secrets.token_urlsafe(16))
                importing = Importing(bus, like)
                await importing.run(batches(lines), at_once, printer.add)

        opened.enter_context(told_when_stopped(printer.told))
        try:
            asyncio.run(run())
        except ServiceError as error:
            refuse(f"refused: {describe(error, IMPORT_USERS)}\n{printer.told()}")
    click.echo(printer.summary())
    sys.exit(1 if printer.counted["refused"] else 0)


def _json_lines(source: io.BufferedReader) -> Iterator[Line]:
    start = source.peek(LOOKED_AT).decode("utf-8-sig", errors="replace")
    if is_ldif(start):
        refuse("refused: This is LDIF. Write its users as rows first: portico user convert --from ldif FILE")
    if reason := other_format(start):
        refuse(f"refused: {reason}")
    return read_lines(source)


def _csv_lines(source: io.BufferedReader, columns: tuple[str, ...], *, verified: bool) -> Iterator[Line]:
    try:
        table = read_csv(source, columns, verified=verified)
    except CsvError as error:
        refuse(f"refused: {error}")
    for title, word in table.columns:
        click.echo(f"{title or '(no title)'}: {BY_WORD[word].title.lower() if word else 'not imported'}", err=True)
    return table.lines


def _is_same(file: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except (OSError, ValueError):
        return False


def _size_of(file: BinaryIO) -> int | None:
    try:
        status = os.fstat(file.fileno())
    except (OSError, ValueError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
