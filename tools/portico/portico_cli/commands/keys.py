from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from portico_contracts.keys import (
    KEY_STATES,
    REVOKE_KEY,
    REWRAP_KEYS,
    ROTATE_KEYS,
    GetKeyStates,
    KeyState,
    KeyStates,
    RevokeKey,
    RewrapKeys,
    RotateKeys,
)
from portico_contracts.subjects import Request, Rpc

from portico_cli.bus_calls.operator_calls import call_or_exit
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import timestamp

_SECONDS: Final = 30.0
"""Generating a large RSA key for each algorithm takes a while."""

_ROW: Final = "{:<25} {:<6} {:<10} {:<21} {}"


@click.group("keys")
def keys_command() -> None:
    """Manage signing keys."""


@keys_command.command("list")
@DATA
def list_command(data: Path) -> None:
    """List all keys."""
    _show(_ask(data, KEY_STATES, GetKeyStates()))


@keys_command.command("rotate")
@click.option(
    "--now",
    is_flag=True,
    help="Sign with the new key after the short waiting time (10 s by default) instead of the regular one.",
)
@click.option("--alg", default="", help="RS256, ES256 or EdDSA. Default: every configured algorithm.")
@DATA
def rotate_command(data: Path, alg: str, *, now: bool) -> None:
    """Publish a new key, which signs after the waiting time. Older keys stay published."""
    _show(_ask(data, ROTATE_KEYS, RotateKeys(alg=alg, now=now)))


@keys_command.command("revoke")
@click.argument("kid")
@DATA
def revoke_command(data: Path, kid: str) -> None:
    """Revoke the key KID immediately. Tokens it signed are rejected, and another key signs."""
    _show(_ask(data, REVOKE_KEY, RevokeKey(kid=kid)))


@keys_command.command("rewrap", short_help="Encrypt all stored keys with the newest master key.")
@DATA
def rewrap_command(data: Path) -> None:
    """Encrypt all stored keys with the newest master key, so that older master keys can be removed."""
    states = _ask(data, REWRAP_KEYS, RewrapKeys())
    click.echo(f"{len(states.keys)} keys: all private keys are encrypted with the newest master key.")


def _ask(data: Path, rpc: Rpc[Request, KeyStates], question: Request) -> KeyStates:
    return call_or_exit(data, rpc, question, seconds=_SECONDS)


def _show(states: KeyStates) -> None:
    click.echo(_ROW.format("key", "alg", "state", "since", "signs from"))
    for key in sorted(states.keys, key=lambda key: key.alg):  # within an algorithm they come newest first
        click.echo(_ROW.format(key.kid, key.alg, key.state, timestamp(key.since), _signs_from(key)).rstrip())


def _signs_from(key: KeyState) -> str:
    return timestamp(key.activates_at) if key.activates_at and key.state != "revoked" else ""
