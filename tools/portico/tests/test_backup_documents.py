from __future__ import annotations

import io
from typing import Any

import bson
import pytest
from portico_cli.backup import documents
from portico_cli.backup.documents import Entry, enclosed, opened, portions, split

DOCUMENTS = [bson.encode({"_id": number, "name": "é" * number, "more": {"in": "x"}}) for number in range(5)]


def test_enclosing_documents_are_those_of_the_format() -> None:
    """Releases read the backups of one another."""
    place = "portico_users.users"
    expected = [bson.encode({"in": place, "is": bson.decode(one)}) for one in DOCUMENTS]

    assert enclosed(place, DOCUMENTS) == expected
    assert [opened(one) for one in expected] == [Entry(place, one) for one in DOCUMENTS]


@pytest.mark.parametrize("other", [{"portico": "backup"}, {"end": {"in": 1}}, {"mac": b"x"}, {}])
def test_other_documents_are_not_opened(other: dict[str, Any]) -> None:
    assert opened(bson.encode(other)) is None


@pytest.mark.parametrize("at", [8, 13, 20, 30, 40, -2])
def test_changed_enclosing_documents_are_refused(at: int) -> None:
    whole = bytearray(enclosed("a.b", [bson.encode({"_id": "value"})])[0])
    whole[at] ^= 0xFF
    try:
        entry = opened(bytes(whole))
    except bson.InvalidBSON:
        return
    assert entry is None or (entry.place.isascii() and split(entry.raw) == ([entry.raw], b""))


def test_documents_are_found_across_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (1, 3, 50, 10_000):
        monkeypatch.setattr(documents, "_READ", size)
        found = [one for portion in portions(io.BytesIO(b"".join(DOCUMENTS)).read) for one in portion]
        assert found == DOCUMENTS


@pytest.mark.parametrize("end", [b"\x06", b"\x06\x00\x00\x00", b"\x04\x00\x00\x00", b"\xff\xff\xff\x7f"])
def test_incomplete_and_impossible_documents_are_refused(end: bytes) -> None:
    with pytest.raises(bson.InvalidBSON):
        list(portions(io.BytesIO(DOCUMENTS[0] + end).read))
