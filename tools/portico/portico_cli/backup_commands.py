"""``portico backup`` and ``portico restore``."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Final, TypeVar

import click
import pyrage
from portico_stack.processes import StartFailed
from portico_stack.stored_mongo import NothingStored, stored_mongo
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from portico_cli.backup import databases
from portico_cli.backup.archive import ArchiveRefused, Reader, created_for_owner, writing
from portico_cli.command_line import DATA, refuse

Result = TypeVar("Result")

_FILE: Final = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
_KEY: Final = click.option(
    "--key",
    "key_file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with the private key of age.",
)


@click.group("backup")
def backup_group() -> None:
    """Make and check backups of both databases. Redis is in none: what it has must not come back."""


@backup_group.command("key")
@_FILE
def key_command(file: Path) -> None:
    """Write a new private key to FILE, and print the public one for `backup make`. Without the private one no backup can be read."""
    identity = pyrage.x25519.Identity.generate()
    try:
        with created_for_owner(file) as out:
            out.write(f"{identity}\n".encode())
    except OSError as error:
        refuse(f"refused: {error}")
    click.echo(str(identity.to_public()))


@backup_group.command("make")
@_FILE
@click.option("--recipient", required=True, help="Public key of age (age1…): it can only encrypt.")
@DATA
def make_command(file: Path, recipient: str, data: Path) -> None:
    """Write everything to FILE, as it is at one time, encrypted. Nothing needs to be stopped."""

    def save(client: databases.Client) -> int:
        with writing(file, recipient) as writer:
            databases.save(client, writer, metadata.version("portico-cli"), time.time())
            return writer.counts.total()

    began = time.perf_counter()
    count = _with_mongo(data, save, services_stopped=False)
    click.echo(f"{count} documents, {file.stat().st_size} bytes, {time.perf_counter() - began:.1f} s")


@backup_group.command("check")
@_FILE
@_KEY
def check_command(file: Path, key_file: Path) -> None:
    """Read FILE as a restoring does, and print what is in it."""
    try:
        header, counts = Reader(file, key_file.read_text()).check()
    except (ArchiveRefused, OSError) as error:
        refuse(f"refused: {error}")
    click.echo(f"release {header['release']}, {time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime(header['made_at']))}")
    for place, count in sorted(counts.items()):
        click.echo(f"{count:>9}  {place}")


@click.command("restore")
@_FILE
@_KEY
@click.option("--replace", is_flag=True, help="Remove what the databases have.")
@DATA
def restore_command(file: Path, key_file: Path, data: Path, *, replace: bool) -> None:
    """Put the backup FILE in the place of both databases, while no service runs.

    Everyone signs in again afterwards.
    """

    def put_back(client: databases.Client) -> None:
        if not replace and not databases.is_empty(client):
            raise ArchiveRefused("the databases are not empty; --replace removes what they have")
        databases.restore(client, Reader(file, key_file.read_text()), click.echo)

    began = time.perf_counter()
    _with_mongo(data, put_back, services_stopped=True)
    click.echo(f"restored in {time.perf_counter() - began:.1f} s; start the services")


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
