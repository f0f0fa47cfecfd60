"""``portico upgrade check``: what stops an upgrade to this release, or changes with it (decision 0106)."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

import click
from portico_runtime.doctor.finding import Finding, print_findings
from portico_stack.assembly.stored_mongo import NothingStored, no_given_servers, stored_mongo
from portico_stack.installation.installation import find_installation
from portico_stack.machine.binaries import ProgramMissing
from portico_stack.processes.programs import StartFailed
from pymongo.errors import PyMongoError

from portico_cli.backup.archive import ArchiveRefused, Reader, authentication_keys, read_key_file
from portico_cli.terminal.interruption import in_thread, run_to_the_end
from portico_cli.terminal.options import DATA
from portico_cli.upgrade.jump import check_jump
from portico_cli.upgrade.records import SERVICES, check_records
from portico_cli.upgrade.rehearsal import rehearse
from portico_cli.upgrade.scratch import (
    ARCHIVE,
    archive_of,
    check_signing_keys,
    filled,
    new_scratch,
    require_room,
    without_credentials,
)
from portico_cli.upgrade.settings_check import check_documents, check_settings

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)

_WAIT_SECONDS: Final = 120.0
_INDEXED_A_SECOND: Final = 5_000

_UNPACKED: Final = 4
_INDEXED: Final = 14
"""What the records of a backup take in MongoDB, in multiples of the file, without and with indexes. 800,000 people took
2.8 and 19 times as much; `require_room` adds a half.
"""

_NOT_REHEARSED: Final = Finding("rehearsal", "warning", "not rehearsed: something above stops the upgrade")

_NOT_IN_A_COPY: Final = frozenset({"keys master keys", "keys migrations", "users indexes"})
"""Restoring revokes all signing keys, and a backup has no indexes."""


@click.group("upgrade")
def upgrade_command() -> None:
    """Check an upgrade before it is made."""


@dataclass(frozen=True, slots=True)
class Source:
    """What to read: a backup with its private key, else the installation of a data directory."""

    data: Path
    backup: Path | None
    key: Path | None
    unauthenticated: bool
    master_key_files: dict[str, Path | None]

    def master_keys(self) -> dict[str, str]:
        """Raises ArchiveRefused where those of a service are neither in a file nor in the data directory."""
        return {service: self._master_keys_of(service) for service in SERVICES}

    def _master_keys_of(self, service: str) -> str:
        if file := self.master_key_files[service]:
            keys = read_key_file(file).strip()
            authentication_keys(keys)  # raises for any other text
            return keys
        if installation := find_installation(self.data):
            return installation.master_keys_of(service)
        option = "--master-keys" if service == "keys" else "--users-master-keys"
        raise ArchiveRefused(f"no installation found: set {option} to a file with the master keys of {service}")

    def reader(self, backup: Path, master_keys: str) -> Reader:
        if self.key is None:
            raise ArchiveRefused("set --key to the file with the age private key of the backup")
        return Reader(
            backup, read_key_file(self.key), None if self.unauthenticated else authentication_keys(master_keys)
        )


@upgrade_command.command("check", short_help="Check an installation or a backup.")
@click.option(
    "--backup", type=_FILE, help="Check this backup instead of the installation. Needs MongoDB on this machine."
)
@click.option("--key", type=_FILE, help="File with the age private key of the backup.")
@click.option(
    "--master-keys", type=_FILE, help="File with PORTICO_MASTER_KEYS of keys. Default: from the data directory."
)
@click.option("--users-master-keys", type=_FILE, help="The same of users.")
@click.option("--unauthenticated", is_flag=True, help="Accept a backup that is not authenticated.")
@click.option(
    "--env-file", "env_files", type=_FILE, multiple=True, help="File of settings to check, lines of NAME=value."
)
@click.option("--document", "documents", type=_FILE, multiple=True, help="Document for `portico apply` to check.")
@click.option("--rehearse", is_flag=True, help="Copy the data, and start and migrate this release on the copy.")
@click.option(
    "--wait", type=float, help="Seconds a service may take to be ready on the copy. Default: by the number of records."
)
@click.option("--keep", is_flag=True, help="Keep the copy, with its logs, and print its directory.")
@click.option("--json", "as_json", is_flag=True, help="Print each finding as a line of JSON.")
@DATA
def check_command(
    data: Path,
    backup: Path | None,
    key: Path | None,
    master_keys: Path | None,
    users_master_keys: Path | None,
    env_files: tuple[Path, ...],
    documents: tuple[Path, ...],
    wait: float | None,
    *,
    unauthenticated: bool,
    rehearse: bool,
    keep: bool,
    as_json: bool,
) -> None:
    """Check whether an installation or a backup can be upgraded to this release. Changes nothing in it.

    Exit status 1 if something stops the upgrade.
    """
    files = {"keys": master_keys, "users": users_master_keys}
    source = Source(data, backup, key, unauthenticated, files)
    plan = Plan(env_files, documents, rehearse, wait, keep)
    sys.exit(run_to_the_end(print_findings(_check(source, plan), as_json=as_json)))


@dataclass(frozen=True, slots=True)
class Plan:
    env_files: tuple[Path, ...]
    documents: tuple[Path, ...]
    rehearse: bool
    wait: float | None
    keep: bool

    def wait_seconds(self, documents: int) -> float:
        """New indexes take time, even where another program uses the machine."""
        return self.wait or _WAIT_SECONDS + documents / _INDEXED_A_SECOND


async def _check(source: Source, plan: Plan) -> AsyncIterator[Finding]:
    for finding in (*check_settings(source.data, plan.env_files), *check_documents(plan.documents, os.environ)):
        yield finding
    try:
        stops = False
        if not source.backup:
            async for finding in _in_place(source):
                stops |= finding.level == "wrong"
                yield finding
        if stops and plan.rehearse:
            yield _NOT_REHEARSED
        elif source.backup or plan.rehearse:
            async for finding in _on_a_copy(source, plan):
                yield finding
    except (ArchiveRefused, NothingStored, StartFailed, ProgramMissing, OSError) as error:
        yield Finding("records", "wrong", f"not checked: {error}")
    except PyMongoError as error:
        yield Finding("records", "wrong", f"not checked: MongoDB failed: {type(error).__name__}: {str(error)[:200]}")


async def _in_place(source: Source) -> AsyncIterator[Finding]:
    installation = find_installation(source.data)
    if installation is None:
        fix = (
            "In containers: docker compose run --rm --no-deps users python -m portico_runtime doctor --records with the new "
            "image, and the same for keys. Elsewhere: pass a backup with --backup."
        )
        yield Finding("records", "warning", f"not checked: there is no installation in {source.data}", fix)
        return
    yield Finding("release", "ok", f"this is release {metadata.version('portico-cli')}")
    async with stored_mongo(source.data, services_stopped=False) as url:
        passwords = installation.mongo_passwords
        async for finding in check_records(without_credentials(url), passwords, source.master_keys()):
            yield finding


async def _on_a_copy(source: Source, plan: Plan) -> AsyncIterator[Finding]:
    master_keys, stops = source.master_keys(), False
    folder = Path(tempfile.mkdtemp(prefix="portico-upgrade-"))  # owner-only
    try:
        reader = await _reader(source, folder, master_keys["keys"])
        if source.backup:
            require_room(folder, (_INDEXED if plan.rehearse else _UNPACKED) * source.backup.stat().st_size)
            for finding in await in_thread(_check_file, reader, master_keys["keys"]):
                stops |= finding.level == "wrong"
                yield finding
        with no_given_servers():
            copy = folder / "installation"
            installation = new_scratch(copy, master_keys)
            began = time.perf_counter()
            async with filled(copy, reader) as filled_copy:
                seconds, documents = time.perf_counter() - began, filled_copy.documents
                (folder / ARCHIVE).unlink(missing_ok=True)
                yield Finding("copy", "ok", f"{documents} records are restored after {seconds:.0f} s")
                if source.backup:
                    async for finding in check_records(filled_copy.url, installation.mongo_passwords, master_keys):
                        stops |= finding.level == "wrong"
                        if finding.name not in _NOT_IN_A_COPY:
                            yield finding
            rehearsal = rehearse(copy, installation, plan.documents, plan.wait_seconds(documents))
            async for finding in _rehearsed(rehearsal, plan, stops=stops):
                yield finding
    finally:
        if plan.keep:
            click.echo(f"kept: {folder}. It has the data and master keys of the installation.", err=True)
        else:
            shutil.rmtree(folder)


def _check_file(reader: Reader, master_keys: str) -> tuple[Finding, Finding]:
    header, signing_keys = check_signing_keys(reader, master_keys)
    made = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(header["made_at"]))
    return check_jump(str(header["release"]), metadata.version("portico-cli"), made), signing_keys


async def _rehearsed(rehearsal: AsyncIterator[Finding], plan: Plan, *, stops: bool) -> AsyncIterator[Finding]:
    if plan.rehearse and stops:
        yield _NOT_REHEARSED
    elif plan.rehearse:
        async for finding in rehearsal:
            yield finding


async def _reader(source: Source, folder: Path, master_keys: str) -> Reader:
    if source.backup:
        return source.reader(source.backup, master_keys)
    async with stored_mongo(source.data, services_stopped=False) as url:
        return await in_thread(archive_of, url, folder)
