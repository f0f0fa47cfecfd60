from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import click
from portico_contracts.apply import Document, Organization
from portico_contracts.documents.writing import mapping_lines
from portico_contracts.subjects import encode
from portico_conversion.applications.draft import LARGEST, TOO_LARGE, Draft
from portico_conversion.applications.options import DocumentOptions
from portico_conversion.applications.sources import DOCUMENTS
from portico_conversion.event_logs.sign_ins import SignIns
from portico_conversion.event_logs.sources import EVENTS
from portico_conversion.findings import Findings, SourceError

from portico_cli.conversion_check.check import check_document
from portico_cli.terminal.options import DATA, ISSUER
from portico_cli.terminal.output import output_for_owner, refuse
from portico_cli.terminal.placeholder_option import ENVIRONMENT, environment_of

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("convert")
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILE...")
@click.option(
    "--from", "source", required=True, type=click.Choice(list(DOCUMENTS)), help="System that created the export."
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write for `portico apply`, readable only by its owner, because it contains the secrets.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Ask the running installation which objects it would refuse; with --events, also which sign-ins. Exit status 1 if any.",
)
@click.option(
    "--events",
    "logs",
    multiple=True,
    type=_FILE,
    help="keycloak, zitadel: event log; its redirect URIs replace wildcards. Can be repeated.",
)
@click.option(
    "--organization", "org_id", default="", metavar="ID", help="Id of the organization. Default: the source's."
)
@click.option("--realm", "realms", multiple=True, metavar="NAME", help="keycloak: realm to convert. Can be repeated.")
@click.option(
    "--grants",
    is_flag=True,
    help="Write only the roles of users and members, for `portico apply` after `portico user import`.",
)
@ENVIRONMENT
@ISSUER
@DATA
def convert_command(
    files: tuple[Path, ...],
    source: str,
    output: Path | None,
    logs: tuple[Path, ...],
    org_id: str,
    realms: tuple[str, ...],
    *,
    variables: tuple[str, ...],
    issuer: str,
    data: Path,
    check: bool,
    grants: bool,
) -> None:
    """Convert applications, roles, identity providers and rules of another system to a document for `portico apply`.

    Lists what is not converted on standard error, with totals at the end. Users: `portico user convert`.
    """
    if not (output or check):
        raise click.UsageError("set --output, --check or both.")
    if output and output.exists() and any(output.samefile(one) for one in (*files, *logs)):
        raise click.UsageError("--output is one of the input files.")
    if logs and source not in EVENTS:
        raise click.UsageError(f"--events is for {' and '.join(EVENTS)}.")
    findings = Findings(lambda line: click.echo(line, err=True), environment_of(variables))
    sign_ins = SignIns()
    unwritten = f" {output} was not written." if output else ""
    try:
        for log in logs:
            sign_ins.add_all(EVENTS[source](log, findings))
        options = DocumentOptions(org_id, realms, sign_ins.uris, grants=grants)
        document = _document(DOCUMENTS[source](files, options, findings), grants=grants)
    except SourceError as error:
        refuse(f"{error}\nThe conversion stopped.{unwritten}")
    if output:
        with output_for_owner(output) as file:
            file.writelines(f"{line}\n" for line in _lines(document, source))
    for line in findings.summary():
        click.echo(line, err=True)
    if check:
        sys.exit(check_document(document, sign_ins, data, issuer))


def _document(drafts: Iterable[Draft], *, grants: bool) -> Document:
    organizations, shared = list[Organization](), dict[str, Any]()
    for one in drafts:
        if one.of_instance:
            shared = one.of_document(grants=grants)
        else:
            organizations.append(one.grants_only() if grants else one.organization())
    document = Document(organizations=tuple(organizations), **shared)
    if not document.organizations:
        raise SourceError("The export", "It has nothing to convert.")
    if len(encode(document)) > LARGEST:
        raise SourceError("The document", TOO_LARGE)
    return document


def _lines(document: Document, source: str) -> Iterator[str]:
    yield f"# Written by `portico convert --from {source}`. It contains secrets: delete it after `portico apply`."
    yield from mapping_lines(document)
