from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import click
from portico_contracts.topology import TOPOLOGY
from portico_runtime.doctor.finding import print_findings

from portico_cli.bus_calls.operator_calls import operator_login
from portico_cli.doctor.checks import check_all
from portico_cli.doctor.services import check_services
from portico_cli.terminal.options import DATA


@click.command("doctor")
@click.option(
    "--issuer", default="", envvar="PORTICO_ISSUER", help="URL of the issuer. Default: that of the local installation."
)
@click.option(
    "--ca-file",
    type=click.Path(exists=True, dir_okay=False),
    help="PEM file of CA certificates to trust for the issuer.",
)
@click.option("--json", "as_json", is_flag=True, help="Print each finding as a line of JSON.")
@click.option(
    "--service",
    "services",
    multiple=True,
    type=click.Choice(tuple(TOPOLOGY)),
    help="Run only the checks of this service of a local installation. Can be repeated.",
)
@click.option("--email-to", default="", metavar="ADDRESS", help="Send a test email to this address.")
@DATA
def doctor_command(
    issuer: str, ca_file: str | None, services: tuple[str, ...], email_to: str, data: Path, *, as_json: bool
) -> None:
    """Check settings, services, the issuer, stores, permissions, emails, outbound access, clock skew and slow password hashes."""
    if services or email_to:
        findings = check_services(data, services or ("users",), email_to)
    else:
        url, password = operator_login(data)
        findings = check_all(data, url, password, issuer=issuer, ca_file=ca_file or "")
    sys.exit(asyncio.run(print_findings(findings, as_json=as_json)))
