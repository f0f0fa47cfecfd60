from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import click
from portico_contracts.catalogue import SERVICES
from portico_stack import up
from portico_stack.assembly.layout import Profile, StackOptions
from portico_stack.assembly.replicas import Replicas, ReplicasRefused
from portico_stack.assembly.services import Foreground
from portico_stack.machine.public_name import LOCALHOST, NameRefused, read_certificate, read_host
from portico_stack.processes.programs import READY_SECONDS
from portico_stack.servers.gateway_choice import GATEWAYS, VARIABLE
from portico_stack.servers.mail import MailCatcher
from portico_stack.servers.redis import MEMORY_MIB, MEMORY_VARIABLE

from portico_cli.terminal.options import DATA


@click.command("up")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="Port of the gateway. 0: any free port.",
)
@click.option("--https", is_flag=True, help="Serve https, without --cert with a certificate of a local authority.")
@click.option(
    "--host", default=LOCALHOST, show_default=True, help="Host name of the issuer. It must resolve to this machine."
)
@click.option(
    "--cert", type=click.Path(path_type=Path), help="PEM file with the certificate for --host. Implies --https."
)
@click.option("--key", type=click.Path(path_type=Path), help="PEM file with the private key, without a passphrase.")
@click.option(
    "--gateway",
    type=click.Choice(list(GATEWAYS)),
    envvar=VARIABLE,
    help="Gateway program. Default: HAProxy if a supported version is installed, else Caddy.",
)
@click.option(
    "--replicas", help="Processes per service: a number, or token=2,users=3.  [default: 1; 2 with --profile ha]"
)
@click.option(
    "--profile",
    type=click.Choice([profile.value for profile in Profile]),
    default=Profile.SMALL.value,
    show_default=True,
    help="small: one process of each server. ha: three of MongoDB, nine of Redis, three of NATS.",
)
@click.option(
    "--wait",
    type=click.FloatRange(1, 3600),
    default=READY_SECONDS,
    show_default=True,
    envvar="PORTICO_STACK_WAIT_SECONDS",
    help="Seconds to wait for each part to become ready.",
)
@click.option(
    "--redis-memory",
    type=click.IntRange(min=1),
    default=MEMORY_MIB,
    show_default=True,
    envvar=MEMORY_VARIABLE,
    help="Memory limit of Redis (maxmemory) in MiB.",
)
@click.option(
    "--first-run",
    is_flag=True,
    help="New installation: print a one-time link to register the first administrator, instead of generating one.",
)
@click.option("--mtls", is_flag=True, help="Accept client certificates at a second port. Needs --https or --cert.")
@click.option("--reload", is_flag=True, help="Restart services when their code changes.")
@click.option("--foreground", type=click.Choice(SERVICES), help="Service that uses this terminal, for pdb.")
@click.option("--debug-port", type=click.IntRange(1, 65535), help="Port of debugpy in the service of --foreground.")
@click.option("--verbose", is_flag=True, help="Also print start-up times and memory usage.")
@DATA
def up_command(data: Path, *, https: bool, verbose: bool, **how: Any) -> None:
    """Start Portico with all its servers on this machine. Stop it with Ctrl-C."""
    try:
        host = read_host(how["host"])
        certificate = read_certificate(how["cert"], how["key"], host)
        replicas = Replicas.read(how["replicas"] or ("2" if how["profile"] == Profile.HA else "1"))
    except (NameRefused, ReplicasRefused) as error:
        raise click.UsageError(str(error)) from None
    if how["debug_port"] and not how["foreground"]:
        raise click.UsageError("--debug-port needs --foreground SERVICE.")
    if how["mtls"] and not (https or certificate):
        raise click.UsageError("--mtls needs --https or --cert.")
    options = StackOptions(
        up.absolute(data),
        port=how["port"],
        https=https or certificate is not None,
        host=host,
        certificate=certificate,
        gateway=how["gateway"] or "",
        profile=Profile(how["profile"]),
        first_run=how["first_run"],
        mtls=how["mtls"],
        replicas=replicas,
        wait_seconds=how["wait"],
        redis_memory_mib=how["redis_memory"],
        mail_server=MailCatcher.given(os.environ),
        foreground=Foreground(how["foreground"] or "", how["debug_port"] or 0),
    )
    sys.exit(asyncio.run(up.run(options, verbose=verbose, reload=how["reload"])))
