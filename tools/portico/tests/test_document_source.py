from __future__ import annotations

import io

import pytest
from portico_cli.applying.source import Source, read_source, seed_and_size
from portico_contracts.apply import Document
from portico_contracts.documents.reading import read_document
from portico_contracts.subjects import encode

ORGS = """
organizations:
  - name: One
    humans: [{one}]
  - name: Two
    humans: [{two}]
"""
ADA = '{id: ada, email: {email: a@b.example}, profile: {firstName: "Ådä", lastName: L}}'


def written(*, one: str = "", two: str = "") -> Document:
    return read_document(ORGS.replace("{one}", one).replace("{two}", two), "file.yaml", {})


@pytest.mark.parametrize("document", [Document(), written(), written(one=ADA), written(one=f"{ADA}, {ADA}", two=ADA)])
def test_size_is_that_of_the_whole_document_at_least(document: Document) -> None:
    """A document that is sent whole fits into a message."""
    _seed, size = seed_and_size("key", document)

    assert len(encode(document)) <= size <= len(encode(document)) + 200


def test_seed_depends_on_key_users_and_their_organization() -> None:
    """New ids are secret, and another document has others."""
    here, there = written(one=ADA), written(two=ADA)
    seeds = [seed_and_size(key, document)[0] for key in ("key", "other") for document in (here, there, written())]

    assert len(set(seeds)) == len(seeds)
    assert seed_and_size("key", written(one=ADA))[0] == seeds[0]


def test_errors_are_placed_in_the_text_that_was_read() -> None:
    """Also those of a document with letters of several bytes, from standard input."""
    file = io.TextIOWrapper(io.BytesIO(ORGS.replace("{one}", ADA).replace("{two}", "").encode()), encoding="utf-8")
    file.buffer.name = "<stdin>"  # as click names it
    source, document = read_source(file, {})

    assert isinstance(source, Source)
    assert document == written(one=ADA)
    assert source.placed("organizations[0].humans[0].id: Taken.").startswith("<stdin>:4:15: ")
    assert source.placed("No path.") == "No path."
