"""Options of several commands."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from portico_stack.running.record import find_running


def _absolute(_ctx: click.Context, _param: click.Parameter, data: Path) -> Path:
    return data.expanduser().resolve()


DATA: Final = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".portico"),
    envvar="PORTICO_STACK_DATA",
    callback=_absolute,
    show_default=True,
    help="Data directory.",
)
ISSUER: Final = click.option(
    "--issuer", envvar="PORTICO_ISSUER", default="", help="URL of the issuer. Default: that of the running stack."
)


def issuer_of(data: Path, given: str) -> str:
    """Returns the given issuer, else that of the stack running from the data directory."""
    running = find_running(data.expanduser().resolve())
    issuer = given or (running.issuer if running else "")
    if not issuer:
        raise click.UsageError("no stack is running here: set --issuer or PORTICO_ISSUER.")
    return issuer.rstrip("/")
