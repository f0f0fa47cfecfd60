from __future__ import annotations

import re
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby
from typing import Any, Final, cast

from bson.raw_bson import RawBSONDocument
from portico_runtime.mongo.client import database_name
from portico_runtime.mongo.schema_version import COLLECTION as STORED_FORMS
from portico_runtime.mongo.schema_version import RESTORING
from portico_runtime.mongo.sealed_secrets import ACCEPTED, SecretCounter, unreadable
from portico_runtime.redis.nodes.history import BUCKETS, GENERATION
from pymongo import MongoClient, WriteConcern
from pymongo.collection import Collection
from pymongo.database import Database

from portico_cli.backup.archive import ArchiveRefused, Reader, Writer
from portico_cli.backup.documents import Run, split
from portico_cli.backup.snapshot import snapshot
from portico_cli.terminal.progress import Progress, progress

SERVICES: Final = ("users", "keys")
"""Services with a database."""

MARKED: Final = ("authz", "token")
"""Services with watermarks of Redis in users (decision 0065)."""

LEAP: Final = 100
"""Redis epochs skipped by a restore: more than started since any backup."""

_LEASES: Final = "leases"
_COLLECTION: Final = re.compile("[A-Za-z][A-Za-z_]*")
"""Excludes MongoDB's own collections (``system.…``) and unknown names."""

_BATCH: Final = 2_000
"""Documents of one answer."""

_BATCH_BYTES: Final = 2 * 2**20
"""Of documents in one request, and at most a portion of the file more."""

_WRITERS: Final = 2

Client = MongoClient[dict[str, Any]]


def save(client: Client, writer: Writer, release: str, now: float) -> None:
    """Reads both databases at one cluster time, without expiring data (codes, links, pending messages) and locks.

    Raises ArchiveRefused if MongoDB does not keep that time for long enough.
    """
    writer.header(release=release, made_at=now)
    lasting = [client[database_name(service)][name] for service in SERVICES for name in _lasting(client, service)]
    with (
        progress("Saving", sum(rows.estimated_document_count() for rows in lasting)) as bar,
        snapshot(client) as session,
    ):
        for rows in lasting:
            for batch in cast("Iterable[bytes]", rows.find_raw_batches(session=session, batch_size=_BATCH)):
                documents, _ = split(batch)
                writer.add(rows.full_name, documents)
                bar.advance(len(documents))


def restore(
    client: Client,
    reader: Reader,
    report: Callable[[str], None],
    *,
    readable: frozenset[str] | None = None,
    accepts_unreadable: bool = False,
) -> Counter[str]:
    """Verifies the whole backup before it writes; also resets what must not be revived.

    `readable` are the fingerprints of the master keys of users: other secrets are refused unless the operator
    accepts them. None if they are unknown.

    After a PyMongoError repeat the restore: until it completes the databases contain a part of the backup.
    """
    secrets = SecretCounter("users")
    with progress("Verifying", None) as bar:
        header, counts = reader.check(lambda entry: _see(entry, secrets, bar))
    refuse_foreign(counts)
    missing = None if readable is None else unreadable(secrets.found, readable)
    if missing and not accepts_unreadable:
        raise ArchiveRefused(
            f"{missing.text}. Add the master keys of the time of the backup to those of users, after the newest "
            "one, or use --accept-unreadable-secrets: users who need one of them cannot sign in"
        )
    report(
        f"made {time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime(header['made_at']))} by release {header['release']}"
    )
    for service in SERVICES:
        client.drop_database(database_name(service))
        _schema_versions(client, service).insert_one({"_id": service, RESTORING: True})
    with progress("Restoring", counts.total()) as bar:
        forms = _put_back(client, reader, bar)
    _begin_redis_anew(_majority(client[database_name("users")]))
    if missing:
        accepted = {"_id": ACCEPTED, "masters": sorted(missing.masters)}
        _schema_versions(client, "users").insert_one(accepted)
    revoked = _revoke_signing_keys(_majority(client[database_name("keys")]))
    for service in SERVICES:  # from here on the services begin to work
        if service in forms:
            _schema_versions(client, service).replace_one({"_id": service}, forms[service])
        else:
            _schema_versions(client, service).delete_one({"_id": service})
    if missing:
        report(f"{missing.text}; reset them for the users concerned")
    report(
        f"{counts.total()} documents; {revoked} signing keys revoked, earlier sessions and tokens are no longer valid"
    )
    return counts


def refuse_foreign(places: Iterable[str]) -> None:
    """Raises `ArchiveRefused` for a collection that does not belong to one of the two databases."""
    own = {database_name(service) for service in SERVICES}
    for place in places:
        database, _, name = place.partition(".")
        if database not in own or name == _LEASES or not _COLLECTION.fullmatch(name):
            raise ArchiveRefused(f"the backup contains documents of {place[:100]!r}, which is not a Portico collection")


def _see(run: Run, secrets: SecretCounter, bar: Progress) -> None:
    count_secrets(run, secrets)
    bar.advance(len(run.documents))


def count_secrets(run: Run, secrets: SecretCounter) -> None:
    """Reads only documents that may have secrets."""
    name = run.place.partition(".")[2]
    if secrets.counts(name):
        for raw in run.documents:
            secrets.add(name, RawBSONDocument(raw))


def _put_back(client: Client, reader: Reader, bar: Progress) -> dict[str, Any]:
    """Writes in threads: MongoDB has work while the next documents are decrypted."""
    forms: dict[str, Any] = {}
    waiting = deque[Future[int]]()
    with ThreadPoolExecutor(_WRITERS) as pool:
        for place, documents in _batches(reader.runs()):
            database, _, name = place.partition(".")
            if name == STORED_FORMS:
                forms |= {document["_id"]: document for document in map(RawBSONDocument, documents)}
                bar.advance(len(documents))
                continue
            waiting.append(pool.submit(_insert, _majority(client[database])[name], documents))
            if len(waiting) > _WRITERS:
                bar.advance(waiting.popleft().result())
        for future in waiting:
            bar.advance(future.result())
    return forms


def _insert(rows: Collection[dict[str, Any]], documents: list[bytes]) -> int:
    rows.insert_many(map(RawBSONDocument, documents), ordered=False)
    return len(documents)


def _schema_versions(client: Client, service: str) -> Collection[dict[str, Any]]:
    return _majority(client[database_name(service)])[STORED_FORMS]


def is_empty(client: Client) -> bool:
    return not any(client[database_name(service)].list_collection_names() for service in SERVICES)


def _lasting(client: Client, service: str) -> list[str]:
    """Collections of which some documents do not expire: an index of times that is sparse leaves out the others."""
    database = client[database_name(service)]
    return sorted(
        name
        for name in database.list_collection_names(filter={"type": "collection"})
        if name != _LEASES
        and not name.startswith("system.")
        and not any("expireAfterSeconds" in one and not one.get("sparse") for one in database[name].list_indexes())
    )


def _begin_redis_anew(users: Database[dict[str, Any]]) -> None:
    """Redis data is from another time than these databases: starts a new epoch for every bucket."""
    for service in MARKED:
        found = users["redis_marks"].find_one({"_id": service}) or {}
        largest = max((int(mark) for mark in found.get("marks", {}).values()), default=0)
        begun = (largest // GENERATION + LEAP) * GENERATION
        users["redis_marks"].update_one(
            {"_id": service}, {"$set": {"marks": dict.fromkeys(BUCKETS, begun)}}, upsert=True
        )


def _revoke_signing_keys(keys: Database[dict[str, Any]]) -> int:
    """A key that was revoked since the backup would sign again; keys creates new ones when it starts."""
    ended = {"$set": {"state": "revoked", "since": time.time()}, "$unset": {"sealed": ""}}
    return keys["signing_keys"].update_many({"state": {"$nin": ["revoked", "expired"]}}, ended).modified_count


def _majority(database: Database[dict[str, Any]]) -> Database[dict[str, Any]]:
    return database.with_options(write_concern=WriteConcern("majority", j=True))


def _batches(runs: Iterator[Run]) -> Iterator[tuple[str, list[bytes]]]:
    """Large ones, because each waits for the disk."""
    for place, several in groupby(runs, lambda run: run.place):
        batch, size = list[bytes](), 0
        for run in several:
            batch += run.documents
            size += sum(map(len, run.documents))
            if size >= _BATCH_BYTES:
                yield place, batch
                batch, size = [], 0
        if batch:
            yield place, batch
