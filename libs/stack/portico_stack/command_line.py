"""What the commands share: the data directory, the operator's login, and ending with a sentence."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final, NoReturn

import click
from portico_contracts.catalogue import OPERATOR

from portico_stack.installation import find_installation
from portico_stack.running import find_running

DATA: Final = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".portico"),
    show_default=True,
    help="Directory everything of this installation lies in.",
)


def operator_login(data: Path) -> tuple[str, str]:
    """Address of the bus and password of the operator: from the environment, else from the data directory.

    Raises:
        click.UsageError: when neither has them.
    """
    running, installation = find_running(data), find_installation(data)
    url = os.environ.get("PORTICO_BUS_URL") or (running.bus_url if running else "")
    password = os.environ.get("PORTICO_BUS_PASSWORD") or (
        installation.bus_passwords[OPERATOR] if installation else ""
    )  # fmt: skip
    if not url or not password:
        raise click.UsageError(
            f"nothing runs from {data}; start it with `portico up`, name its directory with --data, "
            f"or set PORTICO_BUS_URL and PORTICO_BUS_PASSWORD."
        )
    return url, password


def refuse(sentence: str) -> NoReturn:
    """Ends the command with status 1."""
    click.echo(sentence, err=True)
    sys.exit(1)
