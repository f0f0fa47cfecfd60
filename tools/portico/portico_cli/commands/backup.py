from __future__ import annotations

import time
from collections import Counter
from importlib import metadata
from pathlib import Path
from typing import Any

import click
import pyrage
from portico_stack.machine.full_disks import reason_of

from portico_cli.backup import databases
from portico_cli.backup.archive import (
    ArchiveRefused,
    Reader,
    created_for_owner,
    read_key_file,
    writing,
)
from portico_cli.backup.installation import known_keys, required_keys, with_mongo
from portico_cli.backup.options import FILE, KEY, MASTER_KEYS
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import refuse


@click.group("backup")
def backup_command() -> None:
    """Create and verify backups of both databases.

    Redis is not part of a backup: restoring its codes, sessions and revocations would be unsafe.
    """


@backup_command.command("key", short_help="Generate a key pair for backups.")
@FILE
def key_command(file: Path) -> None:
    """Generate a key pair: write the private key to FILE and print the public key for `backup make`.

    Backups cannot be read without the private key.
    """
    identity = pyrage.x25519.Identity.generate()
    try:
        with created_for_owner(file) as out:
            out.write(f"{identity}\n".encode())
    except OSError as error:
        refuse(f"refused: {reason_of(error)}")
    click.echo(str(identity.to_public()))


@backup_command.command("make")
@FILE
@click.option("--recipient", required=True, help="age public key (age1…) to encrypt to.")
@MASTER_KEYS
@DATA
def make_command(file: Path, recipient: str, master_keys: Path | None, data: Path) -> None:
    """Write an encrypted, consistent backup of both databases to FILE. Services keep running."""

    def save(client: databases.Client) -> int:
        with writing(file, recipient, required_keys(data, master_keys)[0]) as writer:
            databases.save(client, writer, metadata.version("portico-cli"), time.time())
            return writer.counts.total()

    began = time.perf_counter()
    count = with_mongo(data, save, services_stopped=False)
    click.echo(f"{count} documents, {file.stat().st_size} bytes, {time.perf_counter() - began:.1f} s")


@backup_command.command("check")
@FILE
@KEY
@MASTER_KEYS
@click.option("--unauthenticated", is_flag=True, help="Accept a backup whose origin is not verified.")
@DATA
def check_command(file: Path, key_file: Path, master_keys: Path | None, data: Path, *, unauthenticated: bool) -> None:
    """Verify the backup FILE and its origin, and print its contents.

    Anyone can encrypt a file to the public key. Without master keys the origin is not verified, and the command fails
    unless --unauthenticated is given.
    """
    try:
        keys = None if unauthenticated else known_keys(data, master_keys)
        header, counts = Reader(file, read_key_file(key_file), keys).check()
        databases.refuse_foreign(counts)
    except (ArchiveRefused, OSError) as error:
        refuse(f"refused: {reason_of(error)}")
    _show(header, counts)
    if unauthenticated:
        click.echo("The origin of the backup was not verified.", err=True)
    elif keys is None:
        refuse(
            "refused: the origin of the backup was not verified, because no master keys were found. Pass the master keys "
            "of the keys service as --master-keys, or accept any origin with --unauthenticated."
        )


def _show(header: dict[str, Any], counts: Counter[str]) -> None:
    click.echo(f"release {header['release']}, {time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime(header['made_at']))}")
    for place, count in sorted(counts.items()):
        click.echo(f"{count:>9}  {place}")
