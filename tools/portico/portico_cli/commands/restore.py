from __future__ import annotations

import time
from pathlib import Path

import click
from portico_oauth.master_keys import MasterKeys
from portico_stack.installation.installation import find_installation

from portico_cli.backup import databases
from portico_cli.backup.archive import (
    ArchiveRefused,
    Reader,
    read_key_file,
)
from portico_cli.backup.installation import required_keys, with_mongo
from portico_cli.backup.options import FILE, KEY, MASTER_KEYS
from portico_cli.terminal.options import DATA


@click.command("restore")
@FILE
@KEY
@MASTER_KEYS
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
        keys = None if unauthenticated else required_keys(data, master_keys)
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
    with_mongo(data, put_back, services_stopped=True)
    click.echo(f"restored in {time.perf_counter() - began:.1f} s; start the services")


def _readable(data: Path, master_keys: Path | None) -> frozenset[str] | None:
    """Returns the fingerprints of the master keys of users; None if they are unknown."""
    installation = None if master_keys else find_installation(data)
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
