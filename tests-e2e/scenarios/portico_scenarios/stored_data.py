"""Records that earlier releases stored, below tests-e2e/stored_data: how they are written, and made into a backup.

``python -m portico_scenarios.stored_data VERSION DATA`` writes those of a data directory; the README there has
the other steps.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
from pathlib import Path
from typing import Final, NamedTuple

import pyrage
from portico_cli.backup.archive import authentication_keys, writing
from portico_cli.backup.documents import Entry, enclosed, opened, split
from portico_cli.upgrade.scratch import archive_of
from portico_stack.assembly.stored_mongo import stored_mongo
from portico_stack.installation.installation import find_installation

FOLDER: Final = Path(__file__).parents[2] / "stored_data"
SERVICES: Final = ("keys", "users")


class StoredBackup(NamedTuple):
    """A backup file, and the options of commands that read it."""

    file: Path
    options: tuple[str, ...]


def versions() -> list[str]:
    return sorted(file.name.removesuffix(".bson.gz") for file in FOLDER.glob("*.bson.gz"))


def backup_of(version: str, folder: Path) -> StoredBackup:
    """Writes the records as a backup of that release, with its private key and master keys in files."""
    identity, file = pyrage.x25519.Identity.generate(), folder / "stored.backup"
    master_keys = json.loads((FOLDER / f"{version}.json").read_text())
    (folder / "key").write_text(f"{identity}\n")
    for service in SERVICES:
        (folder / service).write_text(master_keys[service])
    with writing(file, str(identity.to_public()), authentication_keys(master_keys["keys"])[0]) as writer:
        writer.header(release=version, made_at=0.0)
        for entry in _entries(version):
            writer.add(entry.place, [entry.raw])
    names = ("--key", str(folder / "key"), "--master-keys", str(folder / "keys"))
    return StoredBackup(file, (*names, "--users-master-keys", str(folder / "users")))


def _entries(version: str) -> list[Entry]:
    with gzip.open(FOLDER / f"{version}.bson.gz") as file:
        return [entry for one in split(file.read())[0] if (entry := opened(one))]


async def save(version: str, data: Path) -> None:
    installation = find_installation(data)
    assert installation is not None
    master_keys = {service: installation.master_keys_of(service) for service in SERVICES}
    (FOLDER / f"{version}.json").write_text(json.dumps(master_keys, indent=2) + "\n")
    async with stored_mongo(data, services_stopped=True) as url:
        reader = archive_of(url, data)
    with gzip.GzipFile(FOLDER / f"{version}.bson.gz", "wb", mtime=0) as file:
        for run in reader.runs():
            file.writelines(enclosed(run.place, run.documents))


if __name__ == "__main__":
    asyncio.run(save(sys.argv[1], Path(sys.argv[2]).resolve()))
