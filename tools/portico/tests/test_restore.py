"""Restoring in MongoDB: what must not be revived, and secrets whose master key is lost (decisions 0072, 0091)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bson
import pyrage
import pytest
from portico_cli.backup.archive import ArchiveRefused, Reader, Writer, authentication_keys, writing
from portico_cli.backup.databases import SERVICES, Client, restore, save
from portico_cli.backup.snapshot import PARAMETER, SECONDS
from portico_cli.commands.restore import _readable
from portico_harness.servers import running_mongo
from portico_oauth.master_keys import MasterKeys
from portico_runtime.mongo.sealed_secrets import ACCEPTED
from portico_stack.installation.installation import load_or_create
from portico_stack.servers.mongo_names import ADMIN
from pymongo import MongoClient

IDENTITY = pyrage.x25519.Identity.generate()
KEYS = authentication_keys(b64encode(b"k" * 32).decode())
OTHER_KEY = b64encode(b"o" * 32).decode()


@pytest.fixture(name="client", scope="module")
def _client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A MongoDB for this module, because a restore replaces all databases."""
    with running_mongo(tmp_path_factory.mktemp("restored")) as server:
        client: Client = MongoClient(server.url, username=ADMIN, password=server.password(ADMIN))
        with client:
            yield client


def backed_up(file: Path, documents: dict[str, list[dict[str, Any]]]) -> Reader:
    """Returns a backup of documents by collection."""
    with writing(file, str(IDENTITY.to_public()), KEYS[0]) as writer:
        writer.header(release="0.3.0", made_at=1.0)
        for place, found in documents.items():
            for document in found:
                writer.add(place, [bson.encode(document)])
    return Reader(file, str(IDENTITY), KEYS)


@pytest.mark.servers
def test_restore_revives_no_session_and_no_signing_key(tmp_path: Path, client: Client) -> None:
    """All buckets of Redis begin after what was remembered, so that what is left there is invalid, and no key signs."""
    mark = 5 * 10**12
    keys = [{"_id": state, "state": state, "sealed": {"master": "m"}} for state in ("published", "active", "retired")]
    marks = [{"_id": "token", "marks": {"07": mark}}]
    reader = backed_up(tmp_path / "one", {"portico_users.redis_marks": marks, "portico_keys.signing_keys": keys})
    restore(client, reader, lambda _text: None)
    begun = {one["_id"]: one["marks"] for one in client["portico_users"]["redis_marks"].find()}
    restored = list(client["portico_keys"]["signing_keys"].find())

    assert {service: len(found) for service, found in begun.items()} == {"authz": 256, "token": 256}
    assert min(begun["token"].values()) > mark
    assert min(begun["authz"].values()) > 0
    assert [one["state"] for one in restored] == ["revoked"] * 3
    assert not any("sealed" in one for one in restored)


@pytest.mark.servers
def test_accepted_loss_is_stored(tmp_path: Path, client: Client) -> None:
    """Users reads which master keys the operator accepted to miss; a later restore with all of them forgets it."""
    masters, reports = ("old", "old", "new"), list[str]()
    secrets = [{"_id": number, "sealed": {"master": master}} for number, master in enumerate(masters)]
    reader = backed_up(tmp_path / "one", {"portico_users.totpSecrets": secrets})
    schema = client["portico_users"]["schema"]
    restore(client, reader, reports.append, readable=frozenset({"new"}), accepts_unreadable=True)
    accepted = schema.find_one({"_id": ACCEPTED})
    restore(client, reader, reports.append, readable=frozenset({"new", "old"}))

    assert accepted == {"_id": ACCEPTED, "masters": ["old"]}
    assert any("2 authenticator apps with master key old" in line for line in reports)
    assert schema.find_one({"_id": ACCEPTED}) is None
    assert client["portico_users"]["totpSecrets"].count_documents({}) == 3


def test_master_keys_of_users(tmp_path: Path) -> None:
    """The keys come from the file, otherwise from the data directory, and are unknown without either."""
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


def write_when_written(client: Client) -> Callable[[bytes], object]:
    """Returns a function for a `Writer`, each call of which makes MongoDB go on to another time."""
    return lambda _data: client["portico_users"]["other"].insert_one({})


def history(client: Client) -> int:
    return int(client.admin.command({"getParameter": 1, PARAMETER: 1})[PARAMETER])


@pytest.fixture(name="short_history")
def _short_history(client: Client) -> Iterator[None]:
    """MongoDB keeps no past state, as after the usual five minutes."""
    before = history(client)
    for collection in ("one", "two"):
        client["portico_users"][collection].insert_one({})
    client.admin.command({"setParameter": 1, PARAMETER: 0})
    yield
    client.admin.command({"setParameter": 1, PARAMETER: before})


@pytest.mark.servers
@pytest.mark.usefixtures("short_history")
def test_a_backup_may_take_longer_than_the_history(client: Client) -> None:
    """MongoDB keeps the state of the beginning for as long as the backup takes, and no longer."""
    during = list[int]()
    write = write_when_written(client)

    def written(data: bytes) -> None:
        write(data)
        during.append(history(client))

    writer = Writer(written, KEYS[0])
    save(client, writer, "0.4.0", 1.0)

    assert (writer.counts["portico_users.one"], writer.counts["portico_users.two"]) == (1, 1)
    assert (max(during), history(client)) == (SECONDS, 0)


@pytest.mark.servers
@pytest.mark.usefixtures("short_history")
def test_a_user_who_may_only_read_gets_the_reason(client: Client) -> None:
    """A state that is no longer there is not mixed with a later one."""
    roles = [{"role": "read", "db": f"portico_{service}"} for service in SERVICES]
    client.admin.command("createUser", "reader", pwd="reader", roles=roles)
    assert client.address is not None
    reader: Client = MongoClient(*client.address, username="reader", password="reader")
    with reader, pytest.raises(ArchiveRefused, match="Set minSnapshotHistoryWindowInSeconds of MongoDB to more"):
        save(reader, Writer(write_when_written(client), KEYS[0]), "0.4.0", 1.0)
    client.admin.command("dropUser", "reader")
