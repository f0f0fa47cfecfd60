"""Consecutive BSON documents (bsonspec.org) as bytes: a backup has millions, and decodes few of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from struct import Struct
from typing import Final, NamedTuple

from bson import InvalidBSON

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


class Run(NamedTuple):
    """Consecutive documents of a collection; `place` is empty for one of the format, such as the header."""

    place: str
    documents: list[bytes]


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


def portions(read: Callable[[int], bytes]) -> Iterator[tuple[bytes, list[Run]]]:
    """Yields whole documents as they are written, and what they enclose. Raises InvalidBSON also for an incomplete end."""
    rest = b""
    while data := read(_READ):
        data = rest + data
        found, end = _runs(data)
        rest = data[end:]
        if found:
            yield data[:end], found
    if rest:
        raise InvalidBSON("the last document is incomplete")


def _runs(data: bytes) -> tuple[list[Run], int]:
    """Returns the whole documents, and where the next one begins."""
    found, at = list[Run](), 0
    while raw := _first(data, at):
        if entry := opened(raw):
            documents, at = _of_place(data, at, entry.place)
            found.append(Run(entry.place, documents))
        else:
            found.append(Run("", [raw]))
            at += len(raw)
    return found, at


def _first(data: bytes, at: int) -> bytes:
    """Returns the document that begins there; nothing if it is not whole."""
    if len(data) - at < _LENGTH.size:
        return b""
    (length,) = _LENGTH.unpack_from(data, at)
    if not _LEAST <= length <= _LARGEST:
        raise InvalidBSON(f"a document of {length} bytes")
    return data[at : at + length] if at + length <= len(data) else b""


def _of_place(data: bytes, at: int, place: str) -> tuple[list[bytes], int]:
    """Returns the enclosed documents up to the first of another place, at least one, and where that begins.

    This loop goes through every document: `opened` takes five times as long.
    """
    found, end, start = list[bytes](), len(data), _start_of(place)
    before = _LENGTH.size + len(start)
    around = before + len(_END)
    length_at, is_next = _LENGTH.unpack_from, data.startswith
    while end - at >= around + _LEAST and is_next(start, at + _LENGTH.size):
        (length,), (inner,) = length_at(data, at), length_at(data, at + before)
        if length != inner + around or not _LEAST <= inner <= _LARGEST:
            raise InvalidBSON("not a document of a collection")
        if at + length > end:
            break
        found.append(data[at + before : at + length - 1])
        at += length
    if not found:
        raise InvalidBSON("not a document of a collection")
    return found, at


def _start_of(place: str) -> bytes:
    """Of an enclosing document, after its length."""
    name = place.encode()
    return b"".join((_PLACE, _LENGTH.pack(len(name) + 1), name, _END, _DOCUMENT))


def enclosed(place: str, documents: Iterable[bytes]) -> list[bytes]:
    """Returns ``{"in": place, "is": document}`` for each."""
    start, pack = _start_of(place), _LENGTH.pack
    around = _LENGTH.size + len(start) + len(_END)
    return [pack(around + len(one)) + start + one + _END for one in documents]


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
