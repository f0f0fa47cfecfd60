"""The stored databases of an installation, and the keys of its backups."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from portico_stack.assembly.stored_mongo import NothingStored, stored_mongo
from portico_stack.installation.installation import find_installation
from portico_stack.machine.full_disks import reason_of
from portico_stack.processes.programs import StartFailed
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from portico_cli.backup import databases
from portico_cli.backup.archive import (
    ArchiveRefused,
    authentication_keys,
    read_key_file,
)
from portico_cli.terminal.interruption import in_thread, run_to_the_end
from portico_cli.terminal.output import refuse

Result = TypeVar("Result")


def required_keys(data: Path, master_keys: Path | None) -> tuple[bytes, ...]:
    keys = known_keys(data, master_keys)
    if keys is None:
        raise ArchiveRefused("no installation found: set --master-keys to the master keys of the keys service")
    return keys


def known_keys(data: Path, master_keys: Path | None) -> tuple[bytes, ...] | None:
    """Returns None without a file of master keys and without an installation in the data directory."""
    if master_keys:
        return authentication_keys(read_key_file(master_keys))
    installation = find_installation(data)
    return authentication_keys(installation.master_keys_of("keys")) if installation else None


def with_mongo(data: Path, work: Callable[[databases.Client], Result], *, services_stopped: bool) -> Result:
    async def run() -> Result:
        async with stored_mongo(data, services_stopped=services_stopped) as url:
            client: databases.Client = MongoClient(url, serverSelectionTimeoutMS=10_000)
            with client:
                return await in_thread(work, client)

    try:
        return run_to_the_end(run())
    except (ArchiveRefused, NothingStored, StartFailed, OSError) as error:
        refuse(f"refused: {reason_of(error)}")
    except PyMongoError as error:
        refuse(f"MongoDB failed: {type(error).__name__}: {str(error)[:200]}")
