"""``portico up``: output, signals, and one clear message for each failure."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
from portico_contracts.http import ACCOUNT, CONSOLE, DISCOVERY
from portico_runtime.doctor.server_lines import MONGODB, dotted, past_end
from portico_runtime.process.ending import end

from portico_stack.assembly.layout import ProfileRefused, StackOptions
from portico_stack.assembly.stack import Stack
from portico_stack.installation import demo
from portico_stack.machine.binaries import ProgramMissing, find_mongod
from portico_stack.machine.full_disks import reason_of
from portico_stack.machine.mongod_versions import KernelUnfit, mongod_version
from portico_stack.machine.ports import NoFreePort
from portico_stack.machine.processor import ProcessorTooOld
from portico_stack.machine.public_name import LOCALHOST
from portico_stack.processes.lock import AlreadyRunning
from portico_stack.processes.programs import StartFailed
from portico_stack.servers.given import GivenMongo, PasswordMissing
from portico_stack.servers.redis_files import DataUnclear

_EXPECTED: Final = (
    AlreadyRunning, ProfileRefused, ProgramMissing, NoFreePort, PasswordMissing, ProcessorTooOld, KernelUnfit,
    DataUnclear, StartFailed, OSError,
)  # fmt: skip
"""Errors whose message is for the operator."""


async def run(options: StackOptions, *, verbose: bool, reload: bool = False) -> int:
    """Runs a stack until Ctrl-C or SIGTERM; returns the exit status."""
    asked_to_stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, asked_to_stop.set)
    stack = Stack(options, click.echo)
    click.echo(f"Starting Portico, with its data in {options.data}")
    try:
        return await _until_asked(stack, asked_to_stop, verbose=verbose, reload=reload)
    finally:
        began = time.perf_counter()
        if await stack.stop():
            click.echo(f"Stopped after {time.perf_counter() - began:.1f} s.")


async def _until_asked(stack: Stack, asked_to_stop: asyncio.Event, *, verbose: bool, reload: bool) -> int:
    starting = asyncio.create_task(stack.start())
    waiting = asyncio.create_task(asked_to_stop.wait())
    await asyncio.wait({starting, waiting}, return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():
        await end(starting)
        click.echo("Stopping before everything was ready …")
        return 130
    try:
        starting.result()
    except _EXPECTED as error:
        click.echo(f"Portico cannot start: {reason_of(error)}", err=True)
        waiting.cancel()
        return 1
    _print_summary(stack, verbose=verbose)
    async with _reloading(stack) if reload else nullcontext():
        await waiting
    click.echo("\nStopping …")
    return 0


@asynccontextmanager
async def _reloading(stack: Stack) -> AsyncIterator[None]:
    from portico_stack.processes.reloading import restart_changed, watched_folders  # noqa: PLC0415  # allow import-place: watchfiles is in checkouts only

    watching = asyncio.create_task(restart_changed(stack, watched_folders(), click.echo))
    click.echo("Services restart when their code changes.")
    try:
        yield
    finally:
        await end(watching)


def _print_summary(stack: Stack, *, verbose: bool) -> None:
    layout, asked = stack.layout, stack.options.port
    click.echo("")
    if asked not in (0, layout.gateway.port):
        click.echo(f"Port {asked} is in use. The issuer is at port {layout.gateway.port}.\n")
    if layout.gateway.host != LOCALHOST and not stack.options.container:
        click.echo(
            f"{layout.gateway.host} must resolve to this machine. Add to /etc/hosts: 127.0.0.1 {layout.gateway.host}\n"
        )
    rows = {
        "Issuer": stack.issuer,
        "Discovery": stack.issuer + DISCOVERY,
        "Console": f"{layout.issuer}{CONSOLE}",
        "Account": f"{layout.issuer}{ACCOUNT}",
        **_administrator(stack),
        "Email": _email_destination(stack),
        "Gateway": layout.gateway.described,
        "Data": str(stack.options.data),
        "Logs": str(stack.logs),
        **_ended_mongod(stack),
    }
    if not stack.options.container:
        rows["Demo"] = f"{layout.demo_url}/  (sign in here)"
    if layout.gateway.ca_file and not stack.options.certificate:
        rows["Certificate"] = f"{layout.gateway.ca_file}  (trust it in your browser)"
    if verbose:
        rows["Start-up"] = f"{stack.seconds:.1f} s"
        rows["Memory"] = f"{stack.services_mebibytes():.0f} MiB for all services"
    for name, value in rows.items():
        click.echo(f"  {name:<14} {value}")
    click.echo("\nPortico is ready." + ("" if stack.options.container else " Press Ctrl-C to stop it."))


def _ended_mongod(stack: Stack) -> dict[str, str]:
    """A line where the MongoDB that was started is of a line that has ended."""
    if isinstance(stack.layout.mongo, GivenMongo):
        return {}
    version = mongod_version(find_mongod())
    ended = past_end(MONGODB, version, datetime.now(UTC).date())
    if not ended:
        return {}
    return {
        MONGODB: f"{dotted(version)}, which has received no fixes since {ended}; see docs/guides/upgrade.md#servers"
    }


def _administrator(stack: Stack) -> dict[str, str]:
    if not stack.installation.first_run:
        return {"Administrator": f"{demo.ADMINISTRATOR}  password {stack.installation.admin_password}"}
    if stack.first_run_link:
        return {
            "First run": f"{stack.first_run_link}  (works once, expires in an hour; `portico first-run` creates another)"
        }
    return {"Administrator": "as registered in the first run"}


def _email_destination(stack: Stack) -> str:
    if host := stack.options.mail_server.get("PORTICO_SMTP_HOST"):
        return f"sent by {host}"
    if not stack.options.catches_mail:
        return "not sent: set PORTICO_SMTP_HOST, or PORTICO_STACK_MAIL_PAGE=8025 to see every email at that port"
    return f"{stack.layout.mail.page}/  (every email is caught and shown there)"


def absolute(data: Path) -> Path:
    return data.expanduser().resolve()
