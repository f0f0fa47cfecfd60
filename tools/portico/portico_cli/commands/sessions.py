from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from portico_contracts.authz import END_SESSIONS, LIST_SESSIONS, EndSessions, ListSessions

from portico_cli.bus_calls.operator_calls import call_or_exit
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import timestamp

_SECONDS: Final = 10.0
"""Ending sessions waits until all their tokens are inactive."""

_ROW: Final = "{:<48} {:<21} {:<21} {}"


@click.group("sessions")
def sessions_command() -> None:
    """List and end the sessions of a user.

    USER_ID is the sub claim of the user's tokens.
    """


@sessions_command.command("list")
@click.argument("user_id")
@DATA
def list_command(user_id: str, data: Path) -> None:
    """List the active sessions of USER_ID, the most recently used first."""
    states = call_or_exit(data, LIST_SESSIONS, ListSessions(user_id=user_id), seconds=_SECONDS)
    click.echo(_ROW.format("session", "signed in", "last used", "by"))
    for one in states.sessions:
        click.echo(
            _ROW.format(one.session_id, timestamp(one.auth_time), timestamp(one.used_at), " ".join(one.amr)).rstrip()
        )


@sessions_command.command("end")
@click.argument("user_id")
@click.argument("session_ids", nargs=-1)
@DATA
def end_command(user_id: str, session_ids: tuple[str, ...], data: Path) -> None:
    """End all sessions of USER_ID, or only SESSION_IDS. Their tokens are inactive when the command returns."""
    ended = call_or_exit(
        data, END_SESSIONS, EndSessions(user_id=user_id, session_ids=session_ids, actor="system"), seconds=_SECONDS
    )
    click.echo(f"{ended.sessions} {'session' if ended.sessions == 1 else 'sessions'} ended.")
