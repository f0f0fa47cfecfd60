"""Exit status: 0 done, 1 refused or failed, 2 usage error, 3 for a plan with changes.

A command's module is imported when it is used: ``portico --help`` and shell completion import none.
"""

from __future__ import annotations

import errno
import importlib
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import metadata
from typing import Any, Final

import click

_DISTRIBUTION: Final = "portico-cli"


COMMANDS: Final[Mapping[str, str]] = {
    "app": "Register applications and print ready-to-use code for them.",
    "apply": "Create, update and delete organizations, applications and users as declared in FILE (- for standard input).",
    "backup": "Create and verify backups of both databases.",
    "console": "Register the console and the account page as clients.",
    "convert": "Convert applications, roles, identity providers and rules of another system to a document for `portico apply`.",
    "doctor": "Check settings, services, the issuer, stores, permissions, emails, outbound access, clock skew and slow password hashes.",
    "events": "List events, or publish them again.",
    "explain": "Explain why a request was refused, or what tokens contain.",
    "export": "Write the current state as a file for `portico apply`, without secrets, or one list as CSV or JSON.",
    "first-run": "Create a one-time link to register the first administrator.",
    "keys": "Manage signing keys.",
    "migrate": "Migrate stored records to this release while services run. Can be interrupted and repeated.",
    "restore": "Restore both databases from the backup FILE. All services must be stopped.",
    "sessions": "List and end the sessions of a user.",
    "status": "Show the status of each part of the running stack.",
    "token": "Print an access token for a service user.",
    "up": "Start Portico with all its servers on this machine. Stop it with Ctrl-C.",
    "upgrade": "Check an upgrade before it is made.",
    "user": "Import users, also from other systems.",
    "workload": "List, add and remove trusted workloads of clients.",
}
"""The line of each command in ``portico --help``. Its function is in the module of its name in `commands`."""


class LazyGroup(click.Group):
    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command = getattr(importlib.import_module(f"portico_cli.commands.{name}"), f"{name}_command")
        return command if isinstance(command, click.Command) else None

    def invoke(self, ctx: click.Context) -> Any:
        """Ends with a message where a file cannot be read or written; click handles a closed pipe."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            place = error.filename
            if error.errno == errno.ENOSPC:
                place = place or "standard output"  # errors of files have their name
                with suppress(OSError):  # otherwise Python flushes it again at the end, with a traceback
                    sys.stdout.close()
            raise click.ClickException(f"{place}: {error.strerror}" if place else str(error)) from None

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in sorted(COMMANDS)])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        completion = importlib.import_module("click.shell_completion")
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        found = [completion.CompletionItem(name, help=COMMANDS[name]) for name in names]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(metadata.version(_DISTRIBUTION), prog_name="portico", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Portico: an OpenID Connect provider with user management."""
    # Log lines are for operators of services, not for users of a command. `portico up` itself logs nothing.
    if ctx.invoked_subcommand != "up":
        importlib.import_module("portico_cli.terminal.quiet_logs").silence()
