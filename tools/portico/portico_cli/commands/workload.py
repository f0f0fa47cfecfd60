from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, NoReturn, TextIO, TypeVar

import click
from portico_contracts.apply import ConditionMatchName, TrustedWorkload, WorkloadCondition
from portico_contracts.error_ids import CHANGED_MEANWHILE, VERSION_OVERTAKEN
from portico_contracts.users import APPLY, EXPORT, GET_USER, Apply, GetUser
from portico_oauth.errors import ServiceError
from portico_stack.running.operator_bus import APPLY_SECONDS

from portico_cli.apps.registered import NotFound
from portico_cli.bus_calls.operator_calls import call_or_exit, call_service, describe, is_timeout
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import refuse
from portico_cli.workloads.clients import Clients, Trusting
from portico_cli.workloads.templates import TEMPLATES, Wanted

Asked = TypeVar("Asked")

_SECONDS: Final = 20.0
_ATTEMPTS: Final = 10
_OVERTAKEN: Final = (CHANGED_MEANWHILE, VERSION_OVERTAKEN)
_OWN_ISSUER: Final = "the issuer of this installation"
_DRY_RUN: Final = click.option(
    "--dry-run", is_flag=True, help="Check and print what would be stored, without storing it."
)


@click.group("workload")
def workload_command() -> None:
    """List, add and remove trusted workloads of clients.

    These are pods and CI jobs, whose own tokens authenticate a client without a secret.
    """


@workload_command.command("list")
@click.argument("client", required=False)
@DATA
def list_command(client: str | None, data: Path) -> None:
    """List the trusted workloads of CLIENT, or of all clients.

    CLIENT is its client id, user id or name.
    """
    clients = _clients(data)
    found = [_find(clients, client)] if client else [one for one in clients.list_all() if one.workloads]
    for one in found:
        click.echo(f"{one.client.name}  {one.id}")
        for workload in one.workloads:
            _show(workload)
    if not any(one.workloads for one in found):
        click.echo("No trusted workloads.")


@workload_command.command("add")
@click.argument("client")
@click.argument("workload")
@click.option(
    "--template",
    type=click.Choice([*TEMPLATES]),
    default="generic",
    show_default=True,
    help="Kind of issuer. WORKLOAD is NAMESPACE/NAME for kubernetes, OWNER/REPOSITORY for github, GROUP/PROJECT for gitlab, and the subject for generic.",
)
@click.option("--issuer", default="", metavar="URL", help="The claim iss of its tokens. Required with generic.")
@click.option("--audience", default="", help=f"The claim aud of its tokens. Default: {_OWN_ISSUER}.")
@click.option("--name", default="", help="Name of the trusted workload. Default: WORKLOAD.")
@click.option("--branch", default="", help="With github and gitlab: only runs for this branch.")
@click.option("--environment", default="", help="With github and gitlab: only runs for this environment.")
@click.option(
    "--condition", "more", multiple=True, metavar="CLAIM=VALUE", help="What another claim has to be. Can be repeated."
)
@click.option(
    "--keys",
    type=click.File(encoding="utf-8"),
    help="File with the keys of an issuer that cannot be reached (JWK set).",
)
@_DRY_RUN
@DATA
def add_command(
    data: Path, client: str, workload: str, template: str, issuer: str, audience: str, *, name: str, branch: str,
    environment: str, more: tuple[str, ...], keys: TextIO | None, dry_run: bool,
) -> None:  # fmt: skip
    """Let CLIENT authenticate with the tokens of WORKLOAD. Warns where other workloads get in, too.

    CLIENT is an application or a service user: its client id, user id or name.
    """
    chosen, wanted = TEMPLATES[template], Wanted(workload, branch, environment)
    issuer = issuer or chosen.issuer
    if not issuer:
        raise click.UsageError("Missing option '--issuer'.")
    if (branch or environment) and not chosen.narrowed:
        raise click.UsageError(f"--branch and --environment are not for --template {template}. Use --condition.")
    added = TrustedWorkload(
        name=name or workload,
        issuer=issuer,
        conditions=(*chosen.conditions(wanted), *map(_condition, more)),
        audience=audience,
        key_set=keys.read() if keys else "",
    )

    def with_added(found: Trusting) -> tuple[TrustedWorkload, ...]:
        if any(one.name == added.name for one in found.workloads):
            refuse(f"refused: {found.client.name} already has a trusted workload {added.name}. Choose another --name.")
        return (*found.workloads, added)

    found = _change(data, client, with_added, dry_run=dry_run)
    click.echo(f"{found.client.name}  {found.id}")
    _show(added)
    for warning in chosen.warnings(wanted):
        click.echo(f"Warning: {warning}", err=True)
    _end(dry_run, "Added.")


@workload_command.command("remove")
@click.argument("client")
@click.argument("name")
@_DRY_RUN
@DATA
def remove_command(data: Path, client: str, name: str, *, dry_run: bool) -> None:
    """Remove the trusted workload NAME of CLIENT.

    Its next token is refused. CLIENT is an application or a service user: its client id, user id or name.
    """

    def without_removed(found: Trusting) -> tuple[TrustedWorkload, ...]:
        left = tuple(one for one in found.workloads if one.name != name)
        if len(left) == len(found.workloads):
            known = ", ".join(one.name for one in found.workloads) or "none"
            refuse(f"refused: {found.client.name} has no trusted workload {name}. It has: {known}.")
        return left

    _change(data, client, without_removed, dry_run=dry_run)
    _end(dry_run, "Removed.")


def _clients(data: Path) -> Clients:
    return Clients(
        lambda question: call_or_exit(data, EXPORT, question, seconds=_SECONDS),
        lambda user_id: call_or_exit(data, GET_USER, GetUser(user_id=user_id), seconds=_SECONDS).user,
    )


def _find(clients: Clients, named: str) -> Trusting:
    return _or_refuse(clients.find, named)


def _or_refuse(find: Callable[[Asked], Trusting], asked: Asked) -> Trusting:
    try:
        return find(asked)
    except NotFound as error:
        refuse(f"refused: {error}")


def _condition(text: str) -> WorkloadCondition:
    claim, equals, value = text.partition("=")
    if not equals or not claim or not value:
        raise click.UsageError(f"--condition {text}: not of the form CLAIM=VALUE.")
    return WorkloadCondition(claim, value)


def _change(
    data: Path, client: str, change: Callable[[Trusting], tuple[TrustedWorkload, ...]], *, dry_run: bool
) -> Trusting:
    """Stores what `change` makes of the trusted workloads; of the new ones, where they were changed meanwhile."""
    clients = _clients(data)
    found = _find(clients, client)
    attempts = 1
    while overtaken := _store(data, found, change(found), dry_run=dry_run):
        if attempts == _ATTEMPTS:
            _refuse(overtaken)
        attempts += 1
        found = _or_refuse(clients.read_again, found)
    return found


def _store(data: Path, found: Trusting, workloads: tuple[TrustedWorkload, ...], *, dry_run: bool) -> str:
    """Returns the error where the client was changed since it was read; empty where the change was stored."""
    question = Apply(
        document=found.with_workloads(workloads), check=dry_run, keeps_settings=True, sequences=found.sequences
    )
    try:
        applied = call_service(data, APPLY, question, seconds=APPLY_SECONDS)
    except ServiceError as error:
        rest = " It may have been changed nevertheless." if is_timeout(error) else " Nothing was changed."
        sentence = f"{describe(error, APPLY, APPLY_SECONDS)}{rest}"
        if error.id in _OVERTAKEN:
            return sentence
        _refuse(sentence)
    if failure := applied.failure:
        sentence = f"{failure.text} ({failure.id})"
        if failure.id in _OVERTAKEN:
            return sentence
        _refuse(sentence)
    return ""


def _refuse(sentence: str) -> NoReturn:
    """Without the path in a document that the operator never sees."""
    _place, between, rest = sentence.rpartition("trustedWorkloads")
    refuse(f"refused: {between}{rest}" if between else f"refused: {sentence}")


def _show(workload: TrustedWorkload) -> None:
    click.echo(f"  {workload.name}")
    click.echo(f"    issuer     {workload.issuer}")
    click.echo(f"    audience   {workload.audience or _OWN_ISSUER}")
    for one in workload.conditions:
        is_prefix = one.match is ConditionMatchName.PREFIX
        click.echo(f"    condition  {one.claim} {'begins with' if is_prefix else 'is'} {one.value}")
    if workload.key_set:
        click.echo("    keys       pasted: paste them again when the issuer changes them")


def _end(dry_run: bool, done: str) -> None:
    click.echo("Nothing was changed." if dry_run else done)
