"""A copy of an installation's records in a temporary MongoDB, with nothing left to send to the outside."""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib import metadata
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import pyrage
from portico_oauth.master_keys import MasterKeys
from portico_runtime.doctor.finding import Finding
from portico_runtime.mongo.client import database_name
from portico_runtime.mongo.sealed_secrets import SecretCounter, unreadable
from portico_stack.assembly.stored_mongo import stored_mongo
from portico_stack.installation.installation import Installation, PortBook, load_or_create
from pymongo import MongoClient

from portico_cli.backup import databases
from portico_cli.backup.archive import ArchiveRefused, Reader, writing
from portico_cli.backup.documents import Run
from portico_cli.terminal.interruption import in_thread
from portico_cli.terminal.progress import progress

OBJECTS: Final = ("orgs", "users", "passwords", "projects", "apps", "projectGrants", "members", "idps", "webhooks")
"""Collections of users that no upgrade makes smaller."""


ARCHIVE: Final = "copy.backup"

_SHARE: Final = 1.5
_LEAST_BYTES: Final = 2 * 10**9
"""What a copy takes at most: the file, the restored records and their indexes; and logs of the servers."""


class Copy(NamedTuple):
    """`url` is that of its MongoDB, without credentials."""

    url: str
    documents: int


def require_room(folder: Path, stored: int) -> None:
    """Raises ArchiveRefused: a full disk would stop the servers of the installation too, where they use the same one.

    Args:
        stored: bytes that the original takes on disk, with its indexes.
    """
    needed, free = _LEAST_BYTES + round(_SHARE * stored), shutil.disk_usage(folder).free
    if needed > free:
        raise ArchiveRefused(
            f"the copy may need {needed / 1e9:.1f} GB, and {folder.parent} has {free / 1e9:.1f} GB. Set TMPDIR to a "
            "directory with more"
        )


def _stored_bytes(client: databases.Client) -> int:
    stats = [client[database_name(service)].command("dbStats") for service in databases.SERVICES]
    return sum(int(one["storageSize"] + one["indexSize"]) for one in stats)


def archive_of(url: str, folder: Path) -> Reader:
    """Copies both databases at one time, encrypted, to a file of this process."""
    identity, key, file = pyrage.x25519.Identity.generate(), secrets.token_bytes(32), folder / ARCHIVE
    with _client(url) as client:
        require_room(folder, _stored_bytes(client))
    with _client(url) as client, writing(file, str(identity.to_public()), key) as writer:
        databases.save(client, writer, metadata.version("portico-cli"), 0.0)
    return Reader(file, str(identity), [key])


def new_scratch(data: Path, master_keys: Mapping[str, str]) -> Installation:
    installation = load_or_create(data)
    installation.sealing_keys |= master_keys
    PortBook(installation).port("mongo")
    installation.save(data)
    return installation


@asynccontextmanager
async def filled(data: Path, reader: Reader) -> AsyncIterator[Copy]:
    """Restores the copy into the scratch installation."""
    async with stored_mongo(data, services_stopped=True) as url:

        def fill() -> int:
            with _client(url) as client:
                if not databases.is_empty(client):
                    raise ArchiveRefused("the MongoDB for the copy is not empty")
                counts = databases.restore(client, reader, lambda _line: None)
                _silence(client)
                return counts.total()

        documents = await in_thread(fill)
        yield Copy(without_credentials(url), documents)


async def count_objects(data: Path) -> Counter[str]:
    async with stored_mongo(data, services_stopped=False) as url:

        def count() -> Counter[str]:
            with _client(url) as client:
                users = client[database_name("users")]
                return Counter({name: users[name].count_documents({}) for name in OBJECTS})

        return await asyncio.to_thread(count)


def check_signing_keys(reader: Reader, master_keys: str) -> tuple[dict[str, Any], Finding]:
    """Reads the whole archive: a copy has no private halves, because restoring revokes its signing keys."""
    counter = SecretCounter("keys")
    with progress("Checking", None) as bar:

        def see(run: Run) -> None:
            databases.count_secrets(run, counter)
            bar.advance(len(run.documents))

        header, counts = reader.check(see)
    databases.refuse_foreign(counts)
    if missing := unreadable(counter.found, MasterKeys.read(master_keys).fingerprints):
        fix = "Add the master key to PORTICO_MASTER_KEYS of keys, after the newest one."
        return header, Finding("keys master keys", "wrong", missing.text, fix)
    return header, Finding("keys master keys", "ok", "they decrypt every signing key")


def without_credentials(url: str) -> str:
    parts = urlsplit(url)
    options = [(name, value) for name, value in parse_qsl(parts.query) if name.lower() != "authsource"]
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=urlencode(options)))


def _silence(client: databases.Client) -> None:
    """Events not published yet, and those of the rehearsal itself, must reach no receiver of webhooks."""
    users = client[database_name("users")]
    users["outbox"].delete_many({})
    users["webhooks"].update_many({"state": "active"}, {"$set": {"state": "inactive"}})


def _client(url: str) -> databases.Client:
    return MongoClient(url, serverSelectionTimeoutMS=10_000)
