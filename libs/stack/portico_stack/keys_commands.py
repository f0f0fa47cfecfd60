"""``portico keys``: what the operator asks of the keys service."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

import click
import msgspec
from portico_contracts.keys import (
    KEY_STATES,
    REVOKE_KEY,
    REWRAP_KEYS,
    ROTATE_KEYS,
    AskKeyStates,
    KeyState,
    KeyStates,
    RevokeKey,
    RewrapKeys,
    RotateKeys,
)
from portico_contracts.subjects import Rpc
from portico_oauth.errors import Kind, Refusal

from portico_stack.command_line import DATA, operator_login, refuse
from portico_stack.operator_bus import operator_bus

_SECONDS: Final = 30.0
"""Making a large RSA key for each algorithm takes a while."""

_ROW: Final = "{:<25} {:<6} {:<10} {:<21} {}"

Question = TypeVar("Question", bound=msgspec.Struct)


@click.group("keys")
def keys_group() -> None:
    """Look after the signing keys."""


@keys_group.command("list")
@DATA
def list_command(data: Path) -> None:
    """Show all keys that are not gone."""
    _show(_ask(data, KEY_STATES, AskKeyStates()))


@keys_group.command("rotate")
@click.option("--now", is_flag=True, help="Let it sign after the short wait (10 s by default), not the planned one.")
@click.option("--alg", default="", help="RS256, ES256 or EdDSA; without it every configured one.")
@DATA
def rotate_command(data: Path, alg: str, *, now: bool) -> None:
    """Publish a new key; it signs after its waiting time. Older keys stay published."""
    _show(_ask(data, ROTATE_KEYS, RotateKeys(alg=alg, now=now)))


@keys_group.command("revoke")
@click.argument("kid")
@DATA
def revoke_command(data: Path, kid: str) -> None:
    """Take the key KID away at once: what it signed is refused, and another key signs."""
    _show(_ask(data, REVOKE_KEY, RevokeKey(kid=kid)))


@keys_group.command("rewrap")
@DATA
def rewrap_command(data: Path) -> None:
    """Seal every stored key under the newest master key, so that older ones can be taken out."""
    states = _ask(data, REWRAP_KEYS, RewrapKeys())
    click.echo(f"{len(states.keys)} keys: whatever is sealed is under the newest master key.")


def _ask(data: Path, rpc: Rpc[Question, KeyStates], question: Question) -> KeyStates:
    url, password = operator_login(data.expanduser().resolve())
    try:
        return asyncio.run(_call(url, password, rpc, question))
    except Refusal as refusal:
        hint = " Is the keys service running?" if refusal.kind is Kind.UNAVAILABLE else ""
        refuse(f"refused: {refusal.text} ({refusal.id}){hint}")


async def _call(url: str, password: str, rpc: Rpc[Question, KeyStates], question: Question) -> KeyStates:
    async with operator_bus(url, password) as bus:
        return await bus.call(rpc, question, seconds=_SECONDS)


def _show(states: KeyStates) -> None:
    click.echo(_ROW.format("key", "alg", "state", "since", "signs from"))
    for key in sorted(states.keys, key=lambda key: key.alg):  # within an algorithm they come newest first
        click.echo(_ROW.format(key.kid, key.alg, key.state, _time(key.since), _signs_from(key)).rstrip())


def _signs_from(key: KeyState) -> str:
    return _time(key.activates_at) if key.activates_at and key.state != "revoked" else ""


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
