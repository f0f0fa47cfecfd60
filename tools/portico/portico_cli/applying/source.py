"""The text of a document, which is needed again only where an error is placed: compressed, it takes a tenth."""

from __future__ import annotations

import hashlib
import hmac
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TextIO

from portico_contracts.apply import Document
from portico_contracts.documents.reading import find_place, read_document
from portico_contracts.subjects import encode

from portico_cli.applying.batches import people_of, without_people

_PLACE: Final = re.compile(r"([A-Za-z]+(?:\[[0-9]+\])?(?:\.[A-Za-z]+(?:\[[0-9]+\])?)*): ")
_FAST: Final = 1
_AROUND: Final = 16
"""Bytes at most that JSON has for a list of users, or between two of them."""


@dataclass(frozen=True, slots=True)
class Source:
    name: str
    compressed: bytes = field(repr=False)

    def placed(self, sentence: str) -> str:
        """Puts the line of the path that a sentence begins with, if any, in front of it."""
        found = _PLACE.match(sentence)
        if not found:
            return sentence
        where = find_place(zlib.decompress(self.compressed).decode(), self.name, found[1])
        return f"{where}: {sentence}" if where else sentence


def read_source(file: TextIO, environment: Mapping[str, str]) -> tuple[Source, Document]:
    """Raises `DocumentError` and `UnicodeDecodeError`."""
    text = file.read()
    document = read_document(text, file.name, environment)
    return Source(file.name, zlib.compress(text.encode(), _FAST)), document


def seed_and_size(key: str, document: Document) -> tuple[str, int]:
    """Returns the seed of new ids, the same for the same document and key, and secret; and at most the document's bytes.

    Each user is encoded alone: all of them together would take the memory of the document once more.
    """
    rest = encode(without_people(document))
    digest = hmac.new(key.encode(), rest, hashlib.sha256)
    size = len(rest) + _AROUND * len(document.organizations)
    for org, _, person in people_of(document):
        encoded = encode(person)
        digest.update(b"%d" % org + encoded)
        size += len(encoded) + _AROUND
    return digest.hexdigest(), size
