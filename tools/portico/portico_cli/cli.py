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
from typing import Any, Final, NamedTuple

import click

_DISTRIBUTION: Final = "portico-cli"


class LazyCommand(NamedTuple):
    """The module of a command, and its line in ``portico --help``."""

    module: str
    name: str
    help: str


COMMANDS: Final[Mapping[str, LazyCommand]] = {
    "app": LazyCommand("app_commands", "app_group", "Register applications and print ready-to-use code for them."),
    "apply": LazyCommand(
        "declared_commands",
        "apply_command",
        "Create, update and delete organizations, applications and users as declared in FILE (- for standard input).",
    ),
    "backup": LazyCommand("backup_commands", "backup_group", "Create and verify backups of both databases."),
    "console": LazyCommand(
        "console_command", "console_command", "Register the console and the account page as clients."
    ),
    "convert": LazyCommand(
        "convert_document_command",
        "convert_document_command",
        "Convert applications, roles, identity providers and rules of another system to a document for `portico apply`.",
    ),
    "doctor": LazyCommand(
        "doctor_command",
        "doctor_command",
        "Check settings, services, the issuer, stores, permissions, emails, outbound access, clock skew and slow password hashes.",
    ),
    "events": LazyCommand("events_commands", "events_group", "List events, or publish them again."),
    "explain": LazyCommand("explain_command", "explain_command", "Explain why a request was refused."),
    "export": LazyCommand(
        "declared_commands",
        "export_command",
        "Write the current state as a file for `portico apply`, without secrets, or one list as CSV or JSON.",
    ),
    "first-run": LazyCommand(
        "first_run_command", "first_run_command", "Create a one-time link to register the first administrator."
    ),
    "keys": LazyCommand("keys_commands", "keys_group", "Manage signing keys."),
    "migrate": LazyCommand(
        "migrate_command",
        "migrate_command",
        "Migrate stored records to this release while services run. Can be interrupted and repeated.",
    ),
    "restore": LazyCommand(
        "backup_commands",
        "restore_command",
        "Restore both databases from the backup FILE. All services must be stopped.",
    ),
    "sessions": LazyCommand("sessions_commands", "sessions_group", "List and end the sessions of a user."),
    "status": LazyCommand("status_command", "status_command", "Show the status of each part of the running stack."),
    "token": LazyCommand("token_command", "token_command", "Print an access token for a service user."),
    "up": LazyCommand(
        "up_command", "up_command", "Start Portico with all its servers on this machine. Stop it with Ctrl-C."
    ),
    "upgrade": LazyCommand("upgrade_commands", "upgrade_group", "Check an upgrade before it is made."),
    "user": LazyCommand("import_commands", "user_group", "Import users, also from other systems."),
}


class LazyGroup(click.Group):
    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        lazy = COMMANDS.get(cmd_name)
        if lazy is None:
            return None
        command = getattr(importlib.import_module(f"portico_cli.{lazy.module}"), lazy.name)
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
            if error.errno == errno.ENOSPC:
                with suppress(OSError):  # otherwise Python flushes it again at the end, with a traceback
                    sys.stdout.close()
            raise click.ClickException(
                f"{error.filename}: {error.strerror}" if error.filename else str(error)
            ) from None

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].help) for name in sorted(COMMANDS)])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        completion = importlib.import_module("click.shell_completion")
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        found = [completion.CompletionItem(name, help=COMMANDS[name].help) for name in names]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(metadata.version(_DISTRIBUTION), prog_name="portico", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Portico: an OpenID Connect provider with user management."""
    # Log lines are for operators of services, not for users of a command. `portico up` itself logs nothing.
    if ctx.invoked_subcommand != "up":
        importlib.import_module("portico_cli.quiet_logs").silence()
