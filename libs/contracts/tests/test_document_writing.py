"""A written document is equal to the document that is read back."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from portico_contracts.apply import Document
from portico_contracts.documents.reading import find_place, read_document
from portico_contracts.documents.writing import mapping_lines
from portico_fakes.samples import sample_of

PEM = "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----\n"


def written(document: Document, **comments: list[str]) -> str:
    return "\n".join(mapping_lines(document, "", comments)) + "\n"


def read(text: str) -> Document:
    """Parses a file's document, in an environment with names that an export might be mistaken for."""
    return read_document(text, "export.yaml", {"A": "wrong", "": "wrong", "HOME": "wrong"})


def document(**human: Any) -> Document:
    whole = {"profile": {"firstName": "A", "lastName": "B"}, "email": {"email": "a@a.example"}} | human
    return msgspec.convert({"organizations": [{"name": "Acme", "humans": [whole]}]}, Document)


def test_every_member_is_written() -> None:
    """A sample with every member filled survives writing and reading."""
    sample = sample_of(Document)
    assert isinstance(sample, Document)

    assert read(written(sample)) == sample


TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(st.sampled_from("${}A: #-'\"\\\n\t[],&*!|>%@`~ \x00\x85\u2028\ufeff\x7f\U0001f600")),
    st.sampled_from(
        [
            PEM,
            "true",
            "null",
            "~",
            "1_0",
            "0x1F",
            "2030-01-31",
            "1.5",
            "=",
            "<<",
            "yes",
            "a\n",
            "\n",
            " a",
            "${A}",
            "$${A}",
            "$$${A}",
            "---",
            "...",
        ]
    ),
)


@pytest.mark.slow
@settings(max_examples=30)
@given(st.dictionaries(TEXTS, TEXTS))
def test_any_text_round_trips(metadata: dict[str, str]) -> None:
    """Any metadata text round-trips, including YAML syntax and ``${…}``."""
    one = document(metadata=metadata)

    assert read(written(one)) == one


@pytest.mark.slow
@settings(max_examples=30)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200), st.lists(TEXTS, max_size=3))
def test_any_name_and_list_round_trips(name: str, roles: list[str]) -> None:
    """Every name and every list round-trips, in flow lists as well."""
    one = document(username=name, roles=roles)

    assert read(written(one)) == one


def test_defaults_are_omitted_and_comments_precede() -> None:
    """Default values are omitted and comments precede their entries, for readability."""
    text = written(document(id="ada", roles=["ORG_OWNER"]), ada=["The password is not exported."])

    assert text.splitlines() == [
        "organizations:",
        "  - name: Acme",
        "    humans:",
        "      # The password is not exported.",
        "      - id: ada",
        "        profile:",
        "          firstName: A",
        "          lastName: B",
        "        email:",
        "          email: a@a.example",
        "        roles: [ORG_OWNER]",
    ]


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("organizations[0].humans[1].email.email", "acme.yaml:6:17"),
        ("organizations[0].humans[1].phone.phone", "acme.yaml:5:9"),
        ("organizations[0].humans", "acme.yaml:3:5"),
        ("organizations[7]", "acme.yaml:1:1"),
        ("somewhere", "acme.yaml:1:1"),
    ],
)
def test_document_place_maps_to_a_line(path: str, place: str) -> None:
    """A place in the document maps to its line in the file, or to the nearest enclosing one."""
    text = "organizations:\n  - name: Acme\n    humans:\n      - username: a\n      - username: b\n        email: {email: x}\n"

    assert find_place(text, "acme.yaml", path) == place
