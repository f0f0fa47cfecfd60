from __future__ import annotations

import asyncio
import io
import json
import os
import secrets
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, TextIO

import click
import msgspec
from portico_contracts.csv_files.user_columns import BY_WORD
from portico_contracts.error_ids import BODY_UNREADABLE, USER_NAME_TAKEN
from portico_contracts.subjects import Rpc
from portico_contracts.users import IMPORT_USERS, ImportUsers, RowOutcome, RowProblem, UsersImported
from portico_conversion.findings import shown
from portico_conversion.users.ldif import is_ldif
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.bus.nats_bus import NatsBus
from portico_stack.running.operator_bus import operator_bus

from portico_cli.bus_calls.in_order import answers_in_order
from portico_cli.bus_calls.operator_calls import describe, operator_login
from portico_cli.commands.user_convert import convert_command
from portico_cli.doctor.checks import describe_costly
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import refuse, report_for_owner
from portico_cli.terminal.progress import Progress, progress
from portico_cli.user_import.csv_rows import CsvError, read_csv
from portico_cli.user_import.lines import KnownNames, Line, batches, read_lines

_LOOKED_AT: Final = 64 * 1024
_SECONDS: Final = 60.0
_ATTEMPTS: Final = 8
_LONGEST_PAUSE: Final = 10.0


class RowResult(NamedTuple):
    line: Line
    outcome: RowOutcome


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
    lines = _csv_lines(file, columns, verified=verified) if is_csv else _json_lines(file)
    with ExitStack() as opened:
        bar = opened.enter_context(progress("Checking" if dry_run else "Importing", _size_of(file)))
        written = opened.enter_context(report_for_owner(report)) if report else None
        printer = _ResultPrinter(written, bar, dry_run=dry_run)
        bar.details = printer.counts

        async def run() -> None:
            async with operator_bus(url, password) as bus:
                like = ImportUsers(rows=(), org_id=org_id, check=dry_run, import_id=secrets.token_urlsafe(16))
                importing = _Importing(bus, like)
                await importing.run(batches(lines), at_once, printer.add)

        try:
            asyncio.run(run())
        except ServiceError as error:
            refuse(f"refused: {describe(error, IMPORT_USERS)}\n{printer.summary()}\nRun the command again to continue.")
    click.echo(printer.summary())
    sys.exit(1 if printer.counted["refused"] else 0)


def _json_lines(file: BinaryIO) -> Iterator[Line]:
    # A second buffer around a pipe would wait until it is full: rows that come slowly are imported as they come.
    buffered = file if isinstance(file, io.BufferedReader) else io.BufferedReader(file, _LOOKED_AT)  # type: ignore[type-var]
    if is_ldif(buffered.peek(_LOOKED_AT).decode(errors="replace")):
        refuse("refused: This is LDIF. Write its users as rows first: portico user convert --from ldif FILE")
    return read_lines(buffered)


def _csv_lines(file: BinaryIO, columns: tuple[str, ...], *, verified: bool) -> Iterator[Line]:
    try:
        table = read_csv(file, columns, verified=verified)
    except CsvError as error:
        refuse(f"refused: {error}")
    for title, word in table.columns:
        click.echo(f"{title or '(no title)'}: {BY_WORD[word].title.lower() if word else 'not imported'}", err=True)
    return table.lines


class _Importing:
    def __init__(self, bus: NatsBus, like: ImportUsers) -> None:
        self._bus = bus
        self._like = like

    async def run(self, portions: Iterator[list[Line]], at_once: int, add: Callable[[RowResult], None]) -> None:
        """Imports all rows; raises `unavailable` when the service is unavailable for long."""
        async for _, results in answers_in_order(portions, self._batch, at_once=at_once):
            for result in results:
                add(result)

    async def _batch(self, lines: list[Line]) -> list[RowResult]:
        results = {line.number: RowResult(line, _unreadable(line)) for line in lines if line.problem}
        left = [line for line in lines if not line.problem]
        pause = 0.25
        for attempt in range(_ATTEMPTS):
            if attempt:
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
            for line, outcome in zip(left, await self._ask(left, last=attempt == _ATTEMPTS - 1), strict=False):
                results[line.number] = RowResult(line, outcome)
            left = [line for line in left if line.number not in results or results[line.number].outcome.retry]
            if not left:
                break
        return [results[line.number] for line in lines]

    async def _ask(self, lines: list[Line], *, last: bool) -> tuple[RowOutcome, ...]:
        """Returns the outcomes of a batch; empty where the service did not reply, except at the last attempt."""
        if not lines:
            return ()
        request = msgspec.structs.replace(self._like, rows=tuple(line.text for line in lines))
        rpc: Rpc[ImportUsers, UsersImported] = IMPORT_USERS
        try:
            return (await self._bus.call(rpc, request, seconds=_SECONDS)).rows
        except ServiceError as error:
            if last or error.kind is not Kind.UNAVAILABLE:
                raise
            return ()


class _ResultPrinter:
    def __init__(self, report: TextIO | None, bar: Progress, *, dry_run: bool) -> None:
        self._bar = bar
        self.counted: Counter[str] = Counter()
        self._report = report
        self._dry_run = dry_run
        self._known_names = KnownNames()
        self._costly: Counter[str] = Counter()
        self._seconds: dict[str, float] = {}

    def add(self, result: RowResult) -> None:
        line, outcome = result
        if self._dry_run:
            outcome = self._without_duplicates(line, outcome)
        self.counted[outcome.status] += 1
        if outcome.hash_seconds and outcome.status == "created":
            self._costly[outcome.signs_in_by] += 1
            self._seconds[outcome.signs_in_by] = outcome.hash_seconds
        if self._report:
            self._report.write(json.dumps(_row(line, outcome), ensure_ascii=False) + "\n")
        if self._dry_run:
            self._bar.print_line(f"{line.number}: {_recognised(outcome)}")
        for problem in outcome.problems:
            place = f"{problem.field}: " if problem.field else ""
            self._bar.print_line(f"{line.number}: {place}{problem.text} ({problem.id})")
        self._bar.advance(len(line.text.encode()) + 1)

    def counts(self) -> str:
        created, counted = "to create" if self._dry_run else "created", self.counted
        return f"{counted['created']} {created}, {counted['exists']} already imported, {counted['refused']} refused."

    def summary(self) -> str:
        end = " Nothing was changed." if self._dry_run else ""
        return "\n".join([f"{self.counts()}{end}", *self._warnings()])

    def _warnings(self) -> Iterator[str]:
        for kind, users in sorted(self._costly.items()):
            yield f"Warning: {describe_costly(kind, users, self._seconds[kind])}"

    def _without_duplicates(self, line: Line, outcome: RowOutcome) -> RowOutcome:
        if outcome.status != "created":
            return outcome
        first = self._known_names.line_of(outcome.user_name, line.number)
        if first == line.number:
            return outcome
        problem = RowProblem(field="username", id=USER_NAME_TAKEN, text=f"Line {first} has the same user name.")
        return RowOutcome(status="refused", problems=(problem,), user_name=outcome.user_name, org_id=outcome.org_id)


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


def _unreadable(line: Line) -> RowOutcome:
    return RowOutcome(status="refused", problems=(RowProblem(field="", id=BODY_UNREADABLE, text=line.problem),))


def _row(line: Line, outcome: RowOutcome) -> dict[str, object]:
    row: dict[str, object] = {"line": line.number, "status": outcome.status}
    if outcome.user_id:
        row["userId"] = outcome.user_id
    if outcome.problems:
        row["problems"] = [{"field": one.field, "id": one.id, "text": one.text} for one in outcome.problems]
    return row


def _recognised(outcome: RowOutcome) -> str:
    parts = [
        outcome.status if outcome.status != "created" else "new",
        shown(outcome.user_name) or "no user name",
        f"organization {outcome.org_id or 'unknown'}",
        outcome.signs_in_by or "no password",
        "email verified" if outcome.email_verified else "email not verified",
    ]
    if outcome.totp:
        parts.append("authenticator app")
    for number, word in ((outcome.metadata, "metadata"), (outcome.idp_links, "idp links")):
        if number:
            parts.append(f"{number} {word}")
    return ", ".join(parts)
