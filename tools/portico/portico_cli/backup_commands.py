from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import pyrage
from portico_oauth.master_keys import MasterKeys
from portico_stack.installation import find_installation
from portico_stack.processes import StartFailed
from portico_stack.stored_mongo import NothingStored, stored_mongo
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from portico_cli.backup import databases
from portico_cli.backup.archive import (
    ArchiveRefused,
    Reader,
    authentication_keys,
    created_for_owner,
    read_key_file,
    writing,
)
from portico_cli.command_line import DATA, refuse

Result = TypeVar("Result")

_FILE: Final = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
_KEY: Final = click.option(
    "--key",
    "key_file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with the age private key.",
)


_MASTER_KEYS: Final = click.option(
    "--master-keys",
    "master_keys",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with PORTICO_MASTER_KEYS of the keys service, which authenticates backups. Default: from the data directory.",
)


@click.group("backup")
def backup_group() -> None:
    """Create and verify backups of both databases.

    Redis is not part of a backup: restoring its codes, sessions and revocations would be unsafe.
    """


@backup_group.command("key", short_help="Generate a key pair for backups.")
@_FILE
def key_command(file: Path) -> None:
    """Generate a key pair: write the private key to FILE and print the public key for `backup make`.

    Backups cannot be read without the private key.
    """
    identity = pyrage.x25519.Identity.generate()
    try:
        with created_for_owner(file) as out:
            out.write(f"{identity}\n".encode())
    except OSError as error:
        refuse(f"refused: {error}")
    click.echo(str(identity.to_public()))


@backup_group.command("make")
@_FILE
@click.option("--recipient", required=True, help="age public key (age1…) to encrypt to.")
@_MASTER_KEYS
@DATA
def make_command(file: Path, recipient: str, master_keys: Path | None, data: Path) -> None:
    """Write an encrypted, consistent backup of both databases to FILE. Services keep running."""

    def save(client: databases.Client) -> int:
        with writing(file, recipient, _authentication(data, master_keys)[0]) as writer:
            databases.save(client, writer, metadata.version("portico-cli"), time.time())
            return writer.counts.total()

    began = time.perf_counter()
    count = _with_mongo(data, save, services_stopped=False)
    click.echo(f"{count} documents, {file.stat().st_size} bytes, {time.perf_counter() - began:.1f} s")


@backup_group.command("check")
@_FILE
@_KEY
@_MASTER_KEYS
@click.option("--unauthenticated", is_flag=True, help="Accept a backup whose origin is not verified.")
@DATA
def check_command(file: Path, key_file: Path, master_keys: Path | None, data: Path, *, unauthenticated: bool) -> None:
    """Verify the backup FILE and its origin, and print its contents.

    Anyone can encrypt a file to the public key. Without master keys the origin is not verified, and the command fails
    unless --unauthenticated is given.
    """
    try:
        keys = None if unauthenticated else _known_keys(data, master_keys)
        header, counts = Reader(file, read_key_file(key_file), keys).check()
        databases.refuse_foreign(counts)
    except (ArchiveRefused, OSError) as error:
        refuse(f"refused: {error}")
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


@click.command("restore")
@_FILE
@_KEY
@_MASTER_KEYS
@click.option("--replace", is_flag=True, help="Delete the existing data of both databases.")
@click.option("--unauthenticated", is_flag=True, help="Accept a backup of release 0.2, which is not authenticated.")
@click.option(
    "--users-master-keys",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with PORTICO_MASTER_KEYS of the users service, which must decrypt the secrets in the backup. "
    "Default: from the data directory.",
)
@click.option(
    "--accept-unreadable-secrets",
    is_flag=True,
    help="Restore although master keys are missing: authenticator apps, identity providers and webhooks whose secrets "
    "need them do not work.",
)
@DATA
def restore_command(
    file: Path,
    key_file: Path,
    master_keys: Path | None,
    users_master_keys: Path | None,
    data: Path,
    *,
    replace: bool,
    unauthenticated: bool,
    accept_unreadable_secrets: bool,
) -> None:
    """Restore both databases from the backup FILE. All services must be stopped.

    All users have to sign in again afterwards.
    """

    def put_back(client: databases.Client) -> None:
        if not replace and not databases.is_empty(client):
            raise ArchiveRefused("the databases are not empty. Use --replace to delete their data.")
        keys = None if unauthenticated else _authentication(data, master_keys)
        readable = _readable(data, users_master_keys)
        if readable is None:
            click.echo("not checked: which secrets in the backup can be decrypted. Pass --users-master-keys.", err=True)
        databases.restore(
            client,
            Reader(file, read_key_file(key_file), keys),
            click.echo,
            readable=readable,
            accepts_unreadable=accept_unreadable_secrets,
        )

    began = time.perf_counter()
    _with_mongo(data, put_back, services_stopped=True)
    click.echo(f"restored in {time.perf_counter() - began:.1f} s; start the services")


def _authentication(data: Path, master_keys: Path | None) -> tuple[bytes, ...]:
    keys = _known_keys(data, master_keys)
    if keys is None:
        raise ArchiveRefused("no installation found: set --master-keys to the master keys of the keys service")
    return keys


def _known_keys(data: Path, master_keys: Path | None) -> tuple[bytes, ...] | None:
    """Returns None without a file of master keys and without an installation in the data directory."""
    if master_keys:
        return authentication_keys(read_key_file(master_keys))
    installation = find_installation(data.expanduser().resolve())
    return authentication_keys(installation.master_keys_of("keys")) if installation else None


def _readable(data: Path, master_keys: Path | None) -> frozenset[str] | None:
    """Returns the fingerprints of the master keys of users; None if they are unknown."""
    installation = None if master_keys else find_installation(data.expanduser().resolve())
    if master_keys:
        text = read_key_file(master_keys)
    elif installation:
        text = installation.master_keys_of("users")
    else:
        return None
    try:
        return MasterKeys.read(text).fingerprints
    except ValueError as error:
        raise ArchiveRefused(f"the master keys of users cannot be read: {error}") from error


def _with_mongo(data: Path, work: Callable[[databases.Client], Result], *, services_stopped: bool) -> Result:
    directory = data.expanduser().resolve()

    async def run() -> Result:
        async with stored_mongo(directory, services_stopped=services_stopped) as url:
            client: databases.Client = MongoClient(url, serverSelectionTimeoutMS=10_000)
            with client:
                return await asyncio.to_thread(work, client)

    try:
        return asyncio.run(run())
    except (ArchiveRefused, NothingStored, StartFailed, OSError) as error:
        refuse(f"refused: {error}")
    except PyMongoError as error:
        refuse(f"MongoDB failed: {type(error).__name__}: {str(error)[:200]}")
