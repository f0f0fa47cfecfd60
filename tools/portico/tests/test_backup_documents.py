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


def found_in(data: bytes) -> tuple[bytes, list[Entry | bytes]]:
    """Returns what was read, and the documents: those of a collection with it, the others as they are."""
    written, found = b"", list[Entry | bytes]()
    for whole, runs in portions(io.BytesIO(data).read):
        written += whole
        for place, several in runs:
            found += [Entry(place, one) if place else one for one in several]
    return written, found


def test_documents_are_found_across_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    header = bson.encode({"portico": "backup"})
    mixed = [header, *enclosed("a.b", DOCUMENTS), *enclosed("a.bc", DOCUMENTS[:1]), header, *enclosed("a.b", DOCUMENTS)]
    first, second = [Entry("a.b", one) for one in DOCUMENTS], Entry("a.bc", DOCUMENTS[0])
    for size in (1, 3, 50, 10_000):
        monkeypatch.setattr(documents, "_READ", size)
        assert found_in(b"".join(mixed)) == (b"".join(mixed), [header, *first, second, header, *first])


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("at", range(4, 26))
def test_a_changed_document_is_refused_or_another(number: int, at: int) -> None:
    """A document after one of the same collection is read by another loop."""
    inner = bson.encode({"_id": "value"})
    both = [bytearray(one) for one in enclosed("a.b", [inner, inner])]
    both[number][at] ^= 0xFF
    changed = b"".join(both)
    try:
        written, found = found_in(changed)
    except bson.InvalidBSON:
        return
    assert written == changed
    assert found != [Entry("a.b", inner)] * 2


@pytest.mark.parametrize("end", [b"\x06", b"\x06\x00\x00\x00", b"\x04\x00\x00\x00", b"\xff\xff\xff\x7f"])
def test_incomplete_and_impossible_documents_are_refused(end: bytes) -> None:
    with pytest.raises(bson.InvalidBSON):
        found_in(DOCUMENTS[0] + end)
