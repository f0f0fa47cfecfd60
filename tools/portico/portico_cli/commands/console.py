from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from portico_contracts.users import APPLY, Apply
from portico_stack.installation.console import console_document
from portico_stack.installation.installation import find_installation

from portico_cli.bus_calls.operator_calls import call_or_exit
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import refuse

_SECONDS: Final = 60.0


@click.command("console")
@click.option(
    "--issuer", envvar="PORTICO_ISSUER", required=True, help="Public URL of the issuer, as set in PORTICO_ISSUER."
)
@click.option(
    "--console-url",
    envvar="PORTICO_CONSOLE_URL",
    default="",
    help="Public URL of the console. Default: that of the issuer.",
)
@DATA
def console_command(data: Path, *, issuer: str, console_url: str) -> None:
    """Register the console and the account page as clients.

    Run it once, and again when a URL changes. It uses the key of the console in the data directory.
    """
    installation = find_installation(data)
    if installation is None or not installation.console_client_key:
        refuse(f"refused: {data} has no key of the console. Start the installation first.")
    issuer, console_url = issuer.rstrip("/"), console_url.rstrip("/")
    document = console_document(issuer, installation.console_client_key, console_url)
    applied = call_or_exit(data, APPLY, Apply(document=document), seconds=_SECONDS)
    if applied.failure:
        refuse(f"refused: {applied.failure.text} ({applied.failure.id})")
    click.echo(f"The console is at {console_url or issuer}/ui/console, the account page at {issuer}/ui/account.")
