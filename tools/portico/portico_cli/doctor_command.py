"""``portico doctor``: whether an installation works, and what will become slow."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import click

from portico_cli.command_line import DATA, operator_login
from portico_cli.doctor.examination import examine
from portico_cli.doctor.finding import Finding


@click.command("doctor")
@click.option(
    "--issuer",
    default="",
    envvar="PORTICO_ISSUER",
    help="Address of the issuer; that of a local installation is known.",
)
@click.option("--ca-file", type=click.Path(exists=True, dir_okay=False), help="Certificates to trust at the issuer.")
@click.option("--json", "as_json", is_flag=True, help="Print each finding as a line of JSON.")
@DATA
def doctor_command(issuer: str, ca_file: str | None, data: Path, *, as_json: bool) -> None:
    """Check settings, services, the issuer, the stream of events, clocks, and hashes that take long here."""
    data = data.expanduser().resolve()
    url, password = operator_login(data)

    async def run() -> bool:
        is_well = True
        async for finding in examine(data, url, password, issuer=issuer, ca_file=ca_file or ""):
            click.echo(json.dumps(finding._asdict()) if as_json else _lines(finding))
            is_well = is_well and finding.level != "wrong"
        return is_well

    sys.exit(0 if asyncio.run(run()) else 1)


def _lines(finding: Finding) -> str:
    mark = "" if finding.level == "ok" else f"{finding.level}: "
    line = f"  {finding.name:<12} {mark}{finding.text}"
    return f"{line}\n{'':15}To do: {finding.fix}" if finding.fix else line
