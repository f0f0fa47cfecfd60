"""``portico first-run``: creates the link for the first administrator; printed or written to a file, never logged."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from portico_contracts.users.first_run import CREATE_FIRST_RUN_LINK, CreateFirstRunLink
from portico_oauth.errors import Kind, ServiceError

from portico_cli.bus_calls.operator_calls import call_service, describe
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import output_for_owner, refuse, timestamp

_SECONDS: Final = 10.0


@click.command("first-run")
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the link to FILE (mode 600) instead of printing it.",
)
@click.option(
    "--recover",
    is_flag=True,
    help="Create the link even if an administrator exists. The link adds another administrator.",
)
@DATA
def first_run_command(data: Path, file: Path | None, *, recover: bool) -> None:
    """Create a one-time link to register the first administrator.

    The link works once, expires after an hour, and replaces any earlier one. The account has all permissions.
    """
    try:
        made = call_service(data, CREATE_FIRST_RUN_LINK, CreateFirstRunLink(recover=recover), seconds=_SECONDS)
    except ServiceError as error:
        hint = " If no administrator can sign in, add --recover." if error.kind is Kind.FAILED_PRECONDITION else ""
        refuse(f"refused: {describe(error, CREATE_FIRST_RUN_LINK)}{hint}")
    if file is None:
        click.echo(made.address)
    else:
        try:
            with output_for_owner(file) as out:
                out.write(f"{made.address}\n")
        except click.FileError as error:
            # The link is lost, and is invalidated by the next one.
            refuse(f"refused: {file} cannot be written ({error.message}). Create another link.")
        click.echo(f"The link was written to {file}.", err=True)
    click.echo(f"The link works once and expires at {timestamp(made.expires_at)}.", err=True)
