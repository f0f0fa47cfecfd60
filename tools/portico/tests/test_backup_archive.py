"""The backup file: complete and for the right key, or refused with a message."""

from __future__ import annotations

import gzip
import os
import random
import resource
import stat
import threading
from base64 import b64encode
from collections import Counter
from pathlib import Path
from typing import Any

import bson
import pyrage
import pytest
from click.testing import CliRunner, Result
from portico_cli.backup.archive import ArchiveRefused, Reader, authentication_keys, writing
from portico_cli.backup.databases import restore
from portico_cli.cli import main
from portico_stack.installation.installation import find_installation, load_or_create

IDENTITY = pyrage.x25519.Identity.generate()
KEY, RECIPIENT = str(IDENTITY), str(IDENTITY.to_public())
KEYS = authentication_keys(f"{b64encode(b'k' * 32).decode()},{b64encode(b'o' * 32).decode()}")
DOCUMENTS = [{"_id": number, "name": f"p{number}" * 50, "value": b"\x00\xff" * number} for number in range(300)]


@pytest.fixture(name="backup")
def _backup(tmp_path: Path) -> Path:
    file = tmp_path / "one.backup"
    with writing(file, RECIPIENT, KEYS[0]) as writer:
        writer.header(release="0.2.0", made_at=1_700_000_000.5)
        for number, document in enumerate(DOCUMENTS):
            place = "portico_users.users" if number % 2 else "portico_keys.signing_keys"
            writer.add(place, [bson.encode(document)])
    return file


def checked(file: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["backup", "check", str(file), *options], catch_exceptions=False)


def test_written_documents_are_read(backup: Path) -> None:
    """Every document is restored byte for byte with its collection, and the file is not readable without the key."""
    reader = Reader(backup, f"{KEY}\n", KEYS)
    header, counts = reader.check()
    runs = list(reader.runs())

    assert (header["release"], header["made_at"]) == ("0.2.0", 1_700_000_000.5)
    assert counts == Counter({"portico_users.users": 150, "portico_keys.signing_keys": 150})
    assert [bson.decode(raw) for run in runs for raw in run.documents] == DOCUMENTS
    assert b"portico_users" not in backup.read_bytes()
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


@pytest.mark.parametrize("place", [0.01, 0.3, 0.6, 0.99])
def test_changed_file_is_refused(backup: Path, place: float) -> None:
    """A file with one changed bit anywhere, or a truncated one, is refused."""
    whole = backup.read_bytes()
    at = int(len(whole) * place)
    backup.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    with pytest.raises(ArchiveRefused):
        Reader(backup, KEY, KEYS).check()
    backup.write_bytes(whole[:at])
    with pytest.raises(ArchiveRefused):
        Reader(backup, KEY, KEYS).check()


def test_another_key_reads_nothing(backup: Path) -> None:
    """Another private key and an invalid key are refused."""
    with pytest.raises(ArchiveRefused, match="the key is wrong"):
        Reader(backup, str(pyrage.x25519.Identity.generate()), KEYS).check()
    with pytest.raises(ArchiveRefused, match="private key"):
        Reader(backup, "a key", KEYS)


def test_key_file_of_age_keygen_is_read(backup: Path) -> None:
    """`age-keygen` writes comments above the key, and editors a byte order mark."""
    key_file = backup.with_name("key.txt")
    key_file.write_text(f"\ufeff# created: 2026-11-28T10:00:00Z\n# public key: {RECIPIENT}\n\n{KEY}\n")
    result = checked(backup, "--key", str(key_file), "--unauthenticated")

    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "release 0.2.0, 2023-11-14 22:13:20 UTC")


@pytest.mark.parametrize("option", ["--key", "--master-keys"])
def test_binary_file_in_place_of_a_key_is_refused(backup: Path, option: str) -> None:
    """The most likely one is the backup itself."""
    key_file = backup.with_name("key.txt")
    key_file.write_text(KEY)
    options = {"--key": str(key_file), option: str(backup)}
    result = checked(backup, *(one for pair in options.items() for one in pair))

    assert (result.exit_code, result.stderr) == (1, f"refused: {backup} is not text: it contains no key\n")


def test_check_verifies_the_origin(backup: Path, tmp_path: Path) -> None:
    """By the master keys of the data directory; without any, only a caller who accepts that succeeds."""
    key_file, data, forged = tmp_path / "key.txt", tmp_path / "data", tmp_path / "forged.backup"
    key_file.write_text(KEY)
    load_or_create(data)
    installation = find_installation(data)
    assert installation is not None
    own = authentication_keys(installation.master_keys_of("keys"))
    for file, key in ((tmp_path / "own.backup", own[0]), (forged, KEYS[0])):
        with writing(file, RECIPIENT, key) as writer:
            writer.header(release="0.3.0", made_at=1.0)
    at = ("--key", str(key_file), "--data", str(data))
    elsewhere = ("--key", str(key_file), "--data", str(tmp_path / "none"))
    verified, refused = checked(tmp_path / "own.backup", *at), checked(forged, *at)
    unknown, accepted = checked(forged, *elsewhere), checked(forged, *elsewhere, "--unauthenticated")

    assert (verified.exit_code, verified.stdout, verified.stderr) == (0, "release 0.3.0, 1970-01-01 00:00:01 UTC\n", "")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "not created with a master key of this installation" in refused.stderr
    assert (unknown.exit_code, "the origin of the backup was not verified" in unknown.stderr) == (1, True)
    assert (accepted.exit_code, accepted.stderr) == (0, "The origin of the backup was not verified.\n")


def test_backup_of_another_origin_is_refused(backup: Path, tmp_path: Path) -> None:
    """Anyone can encrypt to the public key, so only a master key of the installation proves the origin."""
    old, other = authentication_keys(b64encode(b"o" * 32).decode()), authentication_keys(b64encode(b"x" * 32).decode())
    rotated, foreign, bare = (tmp_path / name for name in ("rotated", "foreign", "bare"))
    for file, key in ((rotated, old[0]), (foreign, other[0])):
        with writing(file, RECIPIENT, key) as writer:
            writer.header(release="0.3.0", made_at=1.0)
    header: dict[str, Any] = {"portico": "backup", "format": 1, "release": "0.2.0", "made_at": 1.0}
    documents = bson.encode(header) + bson.encode({"end": {}})
    bare.write_bytes(pyrage.encrypt(gzip.compress(documents), [IDENTITY.to_public()]))
    for file in (foreign, bare):
        with pytest.raises(ArchiveRefused, match="master key"):
            Reader(file, KEY, KEYS).check()
        with pytest.raises(ArchiveRefused, match="master key"):
            list(Reader(file, KEY, KEYS).runs())

    assert Reader(rotated, KEY, KEYS).check()[0]["release"] == "0.3.0"
    assert Reader(bare, KEY, None).check()[0]["release"] == "0.2.0"


@pytest.mark.parametrize(
    "place",
    ["admin.system.users", "shop.orders", "portico_users", "portico_users.", "portico_users.system.js", "portico_keys.leases",
     "portico_users.a.b", "portico_users2.users", "local.oplog", "portico_users.$cmd"],
)  # fmt: skip
def test_restore_writes_known_collections_only(tmp_path: Path, place: str) -> None:
    """A backup with a collection other than the persistent ones of the two databases is refused before any write."""
    no_database: Any = None
    with writing(tmp_path / "one.backup", RECIPIENT, KEYS[0]) as writer:
        writer.header(release="0.3.0", made_at=1.0)
        for one in ("portico_users.redis_marks", place, "portico_keys.signing_keys"):
            writer.add(one, [bson.encode({"_id": 1})])
    with pytest.raises(ArchiveRefused, match="not a Portico collection"):
        restore(no_database, Reader(tmp_path / "one.backup", KEY, KEYS), print)


@pytest.mark.parametrize(
    "sealed", [{"sealed": {"master": "old"}}, {"sealedSecret": "old.n.d"}, {"secrets": [{"sealed": "old.n.d"}]}]
)
def test_restore_without_the_master_keys_is_refused(tmp_path: Path, sealed: dict[str, Any]) -> None:
    """Secrets that the master keys of users cannot decrypt are named before any write."""
    place = {"sealed": "totpSecrets", "sealedSecret": "idps", "secrets": "webhooks"}[next(iter(sealed))]
    no_database: Any = None
    with writing(tmp_path / "one.backup", RECIPIENT, KEYS[0]) as writer:
        writer.header(release="0.3.0", made_at=1.0)
        writer.add(f"portico_users.{place}", [bson.encode({"_id": 1, **sealed})])
    reader = Reader(tmp_path / "one.backup", KEY, KEYS)
    with pytest.raises(ArchiveRefused, match=r"with master key old.*--accept-unreadable-secrets"):
        restore(no_database, reader, print, readable=frozenset({"new"}))
    for readable, accepts in ((frozenset({"new"}), True), (frozenset({"new", "old"}), False), (None, False)):
        with pytest.raises(AttributeError):  # goes on to the database
            restore(no_database, reader, print, readable=readable, accepts_unreadable=accepts)


def test_file_that_is_not_a_backup_is_refused(tmp_path: Path) -> None:
    """A file encrypted by age that is not a backup is refused."""
    for number, content in enumerate((b"", b"hello", bson.encode({"portico": "backup", "format": 99}))):
        file = tmp_path / str(number)
        file.write_bytes(pyrage.encrypt(content, [IDENTITY.to_public()]))
        with pytest.raises(ArchiveRefused):
            Reader(file, KEY, KEYS).check()


def test_failed_backup_leaves_no_file(tmp_path: Path) -> None:
    """A partial file is removed, an existing file is never replaced, and a wrong key creates none."""
    file = tmp_path / "one.backup"
    with pytest.raises(ZeroDivisionError), writing(file, RECIPIENT, KEYS[0]) as writer:
        writer.header(release="0.2.0", made_at=1 / 0)
    with pytest.raises(ArchiveRefused, match="public key"), writing(file, KEY, KEYS[0]):
        pass
    assert list(tmp_path.iterdir()) == []
    file.write_text("mine")
    with pytest.raises(FileExistsError), writing(file, RECIPIENT, KEYS[0]):
        pass
    assert file.read_text() == "mine"


def test_backup_without_space_is_refused(tmp_path: Path) -> None:
    """The limit of this process takes the place of a full disk; nothing of the backup is left."""
    file, limits = tmp_path / "one.backup", resource.getrlimit(resource.RLIMIT_FSIZE)
    large = bson.encode({"_id": 1, "value": random.randbytes(200_000)})  # noqa: S311 # only not compressible
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        with (
            pytest.raises(ArchiveRefused, match=r"cannot be written: .*File too large"),
            writing(file, RECIPIENT, KEYS[0]) as writer,
        ):
            writer.add("portico_users.users", [large])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert list(tmp_path.iterdir()) == []


def test_backup_has_its_name_once_complete(tmp_path: Path) -> None:
    """A process that is killed leaves no file that looks like a backup."""
    file = tmp_path / "one.backup"
    with writing(file, RECIPIENT, KEYS[0]) as writer:
        writer.header(release="0.2.0", made_at=1.5)
        [early] = tmp_path.iterdir()

    assert early.name.endswith(".incomplete")
    assert list(tmp_path.iterdir()) == [file]
    assert Reader(file, KEY, KEYS).check()[0]["made_at"] == 1.5


def test_two_backups_of_one_name_do_not_mix(tmp_path: Path) -> None:
    """The one that is complete first gets the name, and the other one is refused."""
    file = tmp_path / "one.backup"
    slow = writing(file, RECIPIENT, KEYS[0])
    slow.__enter__().header(release="0.2.0", made_at=2.5)
    with writing(file, RECIPIENT, KEYS[0]) as quick:
        quick.header(release="0.2.0", made_at=1.5)
    with pytest.raises(FileExistsError):
        slow.__exit__(None, None, None)

    assert list(tmp_path.iterdir()) == [file]
    assert Reader(file, KEY, KEYS).check()[0]["made_at"] == 1.5


def test_link_to_nothing_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "one.backup"
    file.symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError), writing(file, RECIPIENT, KEYS[0]):
        pass
    assert file.is_symlink()


def test_reading_may_end_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted command prints no failure of the thread that decrypts."""
    file, failed = tmp_path / "one.backup", list[threading.ExceptHookArgs]()
    with writing(file, RECIPIENT, KEYS[0]) as writer:
        writer.header(release="0.2.0", made_at=1.0)
        for number in range(40):
            writer.add("portico_users.users", [bson.encode({"_id": number, "value": os.urandom(200_000)})])
    monkeypatch.setattr(threading, "excepthook", failed.append)
    threads = set(threading.enumerate())
    runs = Reader(file, KEY, KEYS).runs()
    next(runs)
    decrypting = set(threading.enumerate()) - threads
    del runs
    for thread in decrypting:
        thread.join()

    assert decrypting
    assert failed == []
