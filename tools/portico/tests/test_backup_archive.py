"""The file of a backup: whole and for its key, or refused with a sentence."""

from __future__ import annotations

import stat
from collections import Counter
from pathlib import Path

import bson
import pyrage
import pytest
from bson.raw_bson import RawBSONDocument
from portico_cli.backup.archive import ArchiveRefused, Entry, Reader, writing

IDENTITY = pyrage.x25519.Identity.generate()
KEY, RECIPIENT = str(IDENTITY), str(IDENTITY.to_public())
DOCUMENTS = [{"_id": number, "name": f"p{number}" * 50, "value": b"\x00\xff" * number} for number in range(300)]


@pytest.fixture(name="backup")
def _backup(tmp_path: Path) -> Path:
    file = tmp_path / "one.backup"
    with writing(file, RECIPIENT) as writer:
        writer.header(release="0.2.0", made_at=1_700_000_000.5)
        for number, document in enumerate(DOCUMENTS):
            place = "portico_users.users" if number % 2 else "portico_keys.signing_keys"
            writer.add(Entry(place, RawBSONDocument(bson.encode(document))))
    return file


def test_what_was_written_is_read(backup: Path) -> None:
    """Every document as it was, byte for byte, with the collection it is of; nothing of it is readable in the file."""
    reader = Reader(backup, f"{KEY}\n")
    header, counts = reader.check()
    entries = list(reader.entries())

    assert (header["release"], header["made_at"]) == ("0.2.0", 1_700_000_000.5)
    assert counts == Counter({"portico_users.users": 150, "portico_keys.signing_keys": 150})
    assert [bson.decode(entry.document.raw) for entry in entries] == DOCUMENTS
    assert b"portico_users" not in backup.read_bytes()
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


@pytest.mark.parametrize("place", [0.01, 0.3, 0.6, 0.99])
def test_a_file_that_was_changed_is_refused(backup: Path, place: float) -> None:
    """One bit anywhere; and one that was cut off."""
    whole = backup.read_bytes()
    at = int(len(whole) * place)
    backup.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    with pytest.raises(ArchiveRefused):
        Reader(backup, KEY).check()
    backup.write_bytes(whole[:at])
    with pytest.raises(ArchiveRefused):
        Reader(backup, KEY).check()


def test_another_key_reads_nothing(backup: Path) -> None:
    """Another private key, and a text that is none."""
    with pytest.raises(ArchiveRefused, match="another key"):
        Reader(backup, str(pyrage.x25519.Identity.generate())).check()
    with pytest.raises(ArchiveRefused, match="private key"):
        Reader(backup, "a key")


def test_another_file_is_refused(tmp_path: Path) -> None:
    """What age encrypted and is no backup."""
    for number, content in enumerate((b"", b"hello", bson.encode({"portico": "backup", "format": 99}))):
        file = tmp_path / str(number)
        file.write_bytes(pyrage.encrypt(content, [IDENTITY.to_public()]))
        with pytest.raises(ArchiveRefused):
            Reader(file, KEY).check()


def test_a_failed_backup_leaves_no_file(tmp_path: Path) -> None:
    """What was written until then is removed; a file that is there is never replaced; a wrong key makes none."""
    file = tmp_path / "one.backup"
    with pytest.raises(ZeroDivisionError), writing(file, RECIPIENT) as writer:
        writer.header(release="0.2.0", made_at=1 / 0)
    with pytest.raises(ArchiveRefused, match="public key"), writing(file, KEY):
        pass
    assert not file.exists()
    file.write_text("mine")
    with pytest.raises(FileExistsError), writing(file, RECIPIENT):
        pass
    assert file.read_text() == "mine"
