"""Restoring secrets whose master key is lost (decision 0091)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bson
import pyrage
import pytest
from bson.raw_bson import RawBSONDocument
from portico_cli.backup.archive import ArchiveRefused, Entry, Reader, authentication_keys, writing
from portico_cli.backup.databases import Client, restore
from portico_cli.backup_commands import _readable
from portico_harness.servers import running_mongo
from portico_oauth.master_keys import MasterKeys
from portico_runtime.sealed_secrets import ACCEPTED
from portico_stack.installation import load_or_create
from portico_stack.servers.mongo import ADMIN
from pymongo import MongoClient

IDENTITY = pyrage.x25519.Identity.generate()
KEYS = authentication_keys(b64encode(b"k" * 32).decode())
OTHER_KEY = b64encode(b"o" * 32).decode()


@pytest.fixture(name="client")
def _client(tmp_path: Path) -> Iterator[Client]:
    with running_mongo(tmp_path / "mongo") as server:
        client: Client = MongoClient(server.url, username=ADMIN, password=server.password(ADMIN))
        with client:
            yield client


@pytest.mark.servers
def test_accepted_loss_is_stored(tmp_path: Path, client: Client) -> None:
    """Users reads which master keys the operator accepted to miss; a later restore with all of them forgets it."""
    file, reports = tmp_path / "one.backup", list[str]()
    with writing(file, str(IDENTITY.to_public()), KEYS[0]) as writer:
        writer.header(release="0.3.0", made_at=1.0)
        for number, master in enumerate(("old", "old", "new")):
            document: dict[str, Any] = {"_id": number, "sealed": {"master": master}}
            writer.add(Entry("portico_users.totpSecrets", RawBSONDocument(bson.encode(document))))
    reader, schema = Reader(file, str(IDENTITY), KEYS), client["portico_users"]["schema"]
    restore(client, reader, reports.append, readable=frozenset({"new"}), accepts_unreadable=True)
    accepted = schema.find_one({"_id": ACCEPTED})
    restore(client, reader, reports.append, readable=frozenset({"new", "old"}))

    assert accepted == {"_id": ACCEPTED, "masters": ["old"]}
    assert any("2 authenticator apps with master key old" in line for line in reports)
    assert schema.find_one({"_id": ACCEPTED}) is None
    assert client["portico_users"]["totpSecrets"].count_documents({}) == 3


def test_master_keys_of_users(tmp_path: Path) -> None:
    """They come from the file, else from the data directory, and are unknown without either."""
    unknown = _readable(tmp_path, None)
    mine = MasterKeys.read(load_or_create(tmp_path).master_keys_of("users")).fingerprints
    file = tmp_path / "keys"
    file.write_text(OTHER_KEY)

    assert unknown is None
    assert _readable(tmp_path, None) == mine
    assert _readable(tmp_path, file) == MasterKeys.read(OTHER_KEY).fingerprints
    file.write_text("not a key")
    with pytest.raises(ArchiveRefused, match="master keys of users cannot be read"):
        _readable(tmp_path, file)
