"""Consecutive BSON documents (bsonspec.org) as bytes: a backup has millions, and decodes few of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from struct import Struct
from typing import Final, NamedTuple

from bson import InvalidBSON
from bson.raw_bson import RawBSONDocument

_READ: Final = 2**20
"""Bytes that are read at a time."""

_LENGTH: Final = Struct("<i")
_LEAST: Final = 5
_LARGEST: Final = 17 * 2**20
"""Bytes of a document; those of MongoDB have at most 16 MiB."""

_PLACE: Final = b"\x02in\x00"
_DOCUMENT: Final = b"\x03is\x00"
_END: Final = b"\x00"
_BEFORE: Final = _LENGTH.size + len(_PLACE) + _LENGTH.size


class Entry(NamedTuple):
    """A document of a collection; `place` is ``database.collection``."""

    place: str
    raw: bytes

    @property
    def document(self) -> RawBSONDocument:
        return RawBSONDocument(self.raw)


def split(data: bytes) -> tuple[list[bytes], bytes]:
    """Returns the whole documents, and the beginning of the next. Raises InvalidBSON."""
    found, start, end = list[bytes](), 0, len(data)
    while end - start >= _LENGTH.size:
        (length,) = _LENGTH.unpack_from(data, start)
        if not _LEAST <= length <= _LARGEST:
            raise InvalidBSON(f"a document of {length} bytes")
        if start + length > end:
            break
        found.append(data[start : start + length])
        start += length
    return found, data[start:]


def portions(read: Callable[[int], bytes]) -> Iterator[list[bytes]]:
    """Raises InvalidBSON also where the last document is incomplete."""
    rest = b""
    while data := read(_READ):
        found, rest = split(rest + data)
        if found:
            yield found
    if rest:
        raise InvalidBSON("the last document is incomplete")


def enclosed(place: str, documents: Iterable[bytes]) -> list[bytes]:
    """Returns ``{"in": place, "is": document}`` for each."""
    name = place.encode()
    start = b"".join((_PLACE, _LENGTH.pack(len(name) + 1), name, _END, _DOCUMENT))
    around = _LENGTH.size + len(start) + len(_END)
    return [b"".join((_LENGTH.pack(around + len(one)), start, one, _END)) for one in documents]


def opened(raw: bytes) -> Entry | None:
    """Returns what `enclosed` enclosed; None for another document. Raises InvalidBSON."""
    if len(raw) <= _BEFORE or not raw.startswith(_PLACE, _LENGTH.size):
        return None
    (length,) = _LENGTH.unpack_from(raw, _BEFORE - _LENGTH.size)
    end = _BEFORE + length
    name, inner = raw[_BEFORE : end - 1], raw[end + len(_DOCUMENT) : -1]
    if not raw.startswith(_DOCUMENT, end) or not name.isascii() or split(inner) != ([inner], b""):
        raise InvalidBSON("not a document of a collection")
    return Entry(name.decode(), inner)
