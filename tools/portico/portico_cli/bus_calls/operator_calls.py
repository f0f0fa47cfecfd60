from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import click
from portico_contracts.catalogue import OPERATOR
from portico_contracts.error_texts import error_text
from portico_contracts.subjects import Reply, Request, Rpc
from portico_oauth.errors import Kind, ServiceError
from portico_stack.installation.installation import find_installation
from portico_stack.running.record import find_running

from portico_cli.terminal.output import refuse

_CONNECTION: Final = f"{__name__}.connection"


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


def call_service(
    data: Path, rpc: Rpc[Request, Reply], request: Request, *, seconds: float, empty: Request | None = None
) -> Reply:
    """All calls of a command share a connection, which ends with the command.

    `empty` is a request without work, by which a long call notices that no replica is left.
    """
    from portico_cli.bus_calls.connection import operator_connection  # noqa: PLC0415  # allow import-place: `portico up` and `status` do without

    command = click.get_current_context()
    if _CONNECTION not in command.meta:
        opened = operator_connection(*operator_login(data))
        command.meta[_CONNECTION] = command.find_root().with_resource(opened)
    reply: Reply = command.meta[_CONNECTION].call(rpc, request, seconds=seconds, empty=empty)
    return reply


def describe(error: ServiceError, rpc: Rpc[Any, Any], seconds: float | None = None) -> str:
    """Returns the message of an error; `seconds` is the timeout of the call, None for that of the entry."""
    if is_timeout(error):
        waited = rpc.seconds if seconds is None else seconds
        return f"The {rpc.owner} service did not respond within {waited:g} seconds ({error.id})."
    hint = f" {_hint(error, rpc)}" if error.kind is Kind.UNAVAILABLE else ""
    return f"{error.text} ({error.id}){hint}"


def to_change(error_id: str) -> str:
    """Returns the line that names how to correct an error; empty where its owner declares nothing."""
    fix = error_text(error_id).fix
    return f"\nTo change: {fix}" if fix else ""


def _hint(error: ServiceError, rpc: Rpc[Any, Any]) -> str:
    if "part" in error.private:  # found here, not by the service
        return f"Is the {rpc.owner} service running?"
    return f"The {rpc.owner} service responds, but cannot reach a server that it needs, or is stopping: see `portico doctor`."


def is_timeout(error: ServiceError) -> bool:
    """Returns whether the service received the request but did not reply in time: completed writes remain."""
    return error.private.get("cause") == TimeoutError.__name__
