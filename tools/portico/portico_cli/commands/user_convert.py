from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final, TextIO

import click
from portico_conversion.findings import Findings, SourceError
from portico_conversion.users.converted_user import Providers, row_of
from portico_conversion.users.options import Options
from portico_conversion.users.sources import SOURCES

from portico_cli.terminal.output import output_for_owner, refuse
from portico_cli.terminal.placeholder_option import ENVIRONMENT, environment_of

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("convert", short_help="Convert the users of another system.")
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILE...")
@click.option(
    "--from", "source", required=True, type=click.Choice(list(SOURCES)), help="System that created the export."
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write, readable only by its owner. Default: standard output.",
)
@click.option(
    "--idp",
    "idps",
    multiple=True,
    metavar="NAME=ID",
    help="Map the identity provider NAME of the source to the identity provider ID. Can be repeated.",
)
@click.option(
    "--organization",
    "org_id",
    default="",
    metavar="ID",
    help="zitadel: organization of all users, instead of that in the export.",
)
@click.option("--realm", default="", metavar="NAME", help="keycloak: realm of the users, if the export has several.")
@click.option(
    "--hash-config",
    type=_FILE,
    help="firebase: file with the project's password hash parameters, including the signer key.",
)
@ENVIRONMENT
def convert_command(
    files: tuple[Path, ...],
    source: str,
    output: Path | None,
    idps: tuple[str, ...],
    org_id: str,
    realm: str,
    hash_config: Path | None,
    variables: tuple[str, ...],
) -> None:
    """Convert the users in an export of another system to rows for `portico user import`.

    Lists what is not converted on standard error, with totals at the end.
    """
    if output and output.exists() and any(output.samefile(one) for one in (*files, hash_config) if one):
        raise click.UsageError("--output is one of the input files.")
    findings = Findings(lambda line: click.echo(line, err=True), environment_of(variables))
    providers = _providers(idps)
    persons = SOURCES[source](files, Options(hash_config, org_id, realm), findings)
    try:
        with ExitStack() as opened:
            target = opened.enter_context(output_for_owner(output)) if output else sys.stdout
            for person in persons:
                if row := row_of(person, providers, findings):
                    _write(row, target)
    except SourceError as error:
        refuse(f"{error}\nThe conversion stopped." + (f" {output} was not written." if output else ""))
    for line in findings.summary():
        click.echo(line, err=True)


def _write(row: Mapping[str, object], target: TextIO) -> None:
    target.write(json.dumps(row) + "\n")


def _providers(idps: tuple[str, ...]) -> Providers:
    pairs = [one.partition("=") for one in idps]
    if any(not (name and id) for name, _, id in pairs):
        raise click.UsageError("--idp must be NAME=ID: the name at the source and the id in Portico.")
    ids: dict[str, str] = {}
    for name, _, id in pairs:
        if ids.setdefault(name, id) != id:
            raise click.UsageError(f"--idp has two ids for {name}: {ids[name]} and {id}.")
    return Providers(ids)
