from __future__ import annotations

import asyncio
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NoReturn, TextIO

import click
from portico_contracts.catalogue import OPERATOR
from portico_contracts.subjects import Reply, Request, Rpc
from portico_oauth.errors import Kind, ServiceError
from portico_stack.installation import find_installation
from portico_stack.private_files import replaced_private, replacing_private
from portico_stack.running import find_running

DATA: Final = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".portico"),
    envvar="PORTICO_STACK_DATA",
    show_default=True,
    help="Data directory.",
)


def operator_login(data: Path) -> tuple[str, str]:
    """Returns URL of the bus and password of the operator: from the environment, else from the data directory."""
    running, installation = find_running(data), find_installation(data)
    url = os.environ.get("PORTICO_BUS_URL") or (running.bus_url if running else "")
    password = os.environ.get("PORTICO_BUS_PASSWORD") or (
        installation.bus_passwords[OPERATOR] if installation else ""
    )  # fmt: skip
    if not url or not password:
        raise click.UsageError(
            f"no stack is running from {data}. Start it with `portico up`, set --data to its directory, or set PORTICO_BUS_URL and PORTICO_BUS_PASSWORD."
        )
    return url, password


def call_or_exit(data: Path, rpc: Rpc[Request, Reply], request: Request, *, seconds: float) -> Reply:
    try:
        return call_service(data, rpc, request, seconds=seconds)
    except ServiceError as error:
        refuse(f"refused: {describe(error, rpc, seconds)}")


def call_service(data: Path, rpc: Rpc[Request, Reply], request: Request, *, seconds: float) -> Reply:
    url, password = operator_login(data.expanduser().resolve())

    from portico_stack.operator_bus import operator_bus  # noqa: PLC0415  # allow import-place: `portico up` and `status` do without

    async def ask() -> Reply:
        async with operator_bus(url, password) as bus:
            return await bus.call(rpc, request, seconds=seconds)

    return asyncio.run(ask())


def describe(error: ServiceError, rpc: Rpc[Any, Any], seconds: float | None = None) -> str:
    """Returns the message of an error; `seconds` is the timeout of the call, None for that of the entry."""
    if is_timeout(error):
        waited = rpc.seconds if seconds is None else seconds
        return f"The {rpc.owner} service did not respond within {waited:g} seconds ({error.id})."
    hint = f" Is the {rpc.owner} service running?" if error.kind is Kind.UNAVAILABLE else ""
    return f"{error.text} ({error.id}){hint}"


def is_timeout(error: ServiceError) -> bool:
    """Returns whether the service received the request but did not reply in time: completed writes remain."""
    return error.private.get("cause") == TimeoutError.__name__


def refuse(sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    sys.exit(1)


def timestamp(seconds: float) -> str:
    """Formats unix seconds in RFC 3339, UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@contextmanager
def output_for_owner(path: Path) -> Iterator[TextIO]:
    """Replaces a file, owner-only, once complete; refuses a device or a link, which would be replaced."""
    _refuse_special(path)
    try:
        with replacing_private(path) as file:
            yield file
    except OSError as error:
        raise click.FileError(str(path), error.strerror) from error


def report_for_owner(path: Path) -> TextIO:
    """Like `output_for_owner`, with each line written at once."""
    _refuse_special(path)
    try:
        return replaced_private(path)
    except OSError as error:
        raise click.FileError(str(path), error.strerror) from error


def _refuse_special(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode):
        raise click.FileError(str(path), "It is a link or a device. Use a regular file.")
