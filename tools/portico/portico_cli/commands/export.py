from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TextIO

import click
from portico_contracts.users import EXPORT, Export, Exported

from portico_cli.bus_calls.operator_calls import call_or_exit
from portico_cli.exporting.document import document_lines
from portico_cli.exporting.lists import LISTS, rows_of, write_csv, write_json
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import complete_output, output_for_owner
from portico_cli.terminal.progress import progress

_EXPORT_SECONDS: Final = 20.0


@click.command("export")
@click.option(
    "--organization",
    "org_ids",
    multiple=True,
    metavar="ID",
    help="Organization to export. Can be repeated. Default: all.",
)
@click.option(
    "--list", "name", type=click.Choice(list(LISTS)), help="Write this list for a spreadsheet or program instead."
)
@click.option(
    "--format", type=click.Choice(["csv", "json"]), default="csv", show_default=True, help="Format of the list."
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write, readable only by its owner. Default: standard output.",
)
@DATA
def export_command(org_ids: tuple[str, ...], name: str | None, format: str, output: Path | None, data: Path) -> None:
    """Write the current state as a file for `portico apply`, without secrets, or one list as CSV or JSON."""
    if "" in org_ids:
        raise click.UsageError("--organization is empty.")
    org_ids = tuple(dict.fromkeys(org_ids))

    def ask(question: Export) -> Exported:
        return call_or_exit(data, EXPORT, question, seconds=_EXPORT_SECONDS)

    with output_for_owner(output) if output else complete_output() as file:
        if name:
            _write_list(ask, org_ids, name, format, file)
        else:
            file.writelines(f"{line}\n" for line in document_lines(ask, org_ids))


def _write_list(
    ask: Callable[[Export], Exported], org_ids: tuple[str, ...], name: str, format: str, file: TextIO
) -> None:
    listed = LISTS[name]
    with progress(f"Exporting {name.replace('-', ' ')}", None) as bar:
        write = write_json if format == "json" else write_csv
        write(file, rows_of(ask, org_ids, listed), listed.columns, bar.advance)
