from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click
import msgspec
from portico_contracts.diagnostics import FIND_TRACE, Diagnostic, DiagnosticFound, ExplainedCheck, FindDiagnostic

from portico_cli.apps.token_contents import explain_tokens
from portico_cli.bus_calls.operator_calls import call_or_exit
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import refuse, timestamp

_SECONDS: Final = 5.0
_ROW: Final = "  {:<7} {}"
_DETAIL: Final = "          {:<7} {}"


@click.command("explain")
@click.argument("request_id", default="")
@click.option("--client", "client_id", default="", help="Client ID of an application: explain its tokens instead.")
@click.option("--user", default="", help="Id, user name or email address of the user of these tokens.")
@click.option("--scope", default="openid profile email", show_default=True, help="Requested scope.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@DATA
def explain_command(request_id: str, client_id: str, user: str, scope: str, as_json: bool, data: Path) -> None:
    """Explain why a request was refused, or what tokens contain.

    Error pages and the response header X-Request-Id show REQUEST_ID. With --client and --user, show what the user would
    get at the application, which claim rule gives which claim, and why a scope is dropped. Nothing is issued.
    """
    if bool(request_id) == bool(client_id) or bool(client_id) != bool(user):
        raise click.UsageError("name a request, or an application and a user (--client, --user).")
    if client_id:
        explain_tokens(data, client_id, user, scope, as_json=as_json)
        return
    found = call_or_exit(data, FIND_TRACE, FindDiagnostic(request_id=request_id), seconds=_SECONDS)
    if found.trace is None:
        refuse(f"No diagnostics found for the request {request_id}. They are kept for 24 hours.")
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(found), indent=2, ensure_ascii=False))
        return
    for line in _lines(found, found.trace):
        click.echo(line)


def _lines(found: DiagnosticFound, trace: Diagnostic) -> list[str]:
    about = {
        "request": f"{trace.request_id} at {timestamp(trace.at)}",
        "endpoint": f"{trace.endpoint} {trace.operation}".strip(),
        "client": f"{trace.client_id or '(none)'}{'' if trace.client_known or not trace.client_id else ' (unknown)'}",
        "application": trace.app_id,
        "project": trace.project_id,
        "organization": trace.org_id,
        "user": trace.user_id,
        "error": f"{trace.error_id} {trace.error}".strip(),
    }
    lines = [f"{name:<13} {value}" for name, value in about.items() if value]
    lines += ["", found.text, f"To change: {found.fix}"] if found.text else []
    checks = [line for check in found.checks for line in _check_lines(check)]
    return [*lines, "", *checks] if checks else lines


def _check_lines(explained: ExplainedCheck) -> list[str]:
    check = explained.check
    lines = [_ROW.format("passed" if check.passed else "REFUSED", check.name)]
    if check.passed:
        return [f"{lines[0]}: {check.given}"] if check.given else lines
    lines += [_DETAIL.format("given", check.given)] if check.given else []
    lines += [_DETAIL.format("wanted", wanted) for wanted in check.wanted]
    lines += [_DETAIL.format("hint", explained.hint)] if explained.hint else []
    return lines
