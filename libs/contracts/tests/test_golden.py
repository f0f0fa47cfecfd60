"""Golden samples detect accidental changes of the wire format.

After an intended change (a new optional field), regenerate them::

    PORTICO_TEST_REGENERATE=1 .venv/bin/python -m pytest libs/contracts/tests/test_golden.py
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest
from portico_contracts.subjects import Message, decode, encode
from portico_fakes.samples import message_kinds, sample_of

GOLDEN = Path(__file__).parent / "golden"
KINDS = message_kinds()


def _pretty(data: bytes) -> str:
    return json.dumps(json.loads(data), indent=2, ensure_ascii=False) + "\n"


@pytest.fixture(scope="session", autouse=True)
def _regenerated() -> None:
    if "PORTICO_TEST_REGENERATE" not in os.environ:
        return
    for path in GOLDEN.glob("*.json"):
        path.unlink()
    for name, kind in KINDS.items():
        (GOLDEN / f"{name}.json").write_text(_pretty(encode(sample_of(kind))))


def test_message_encodes_to_its_golden_sample() -> None:
    """Field names, order and encoding stay compatible with other releases (FD-28)."""
    written = {name: _pretty(encode(sample_of(kind))) for name, kind in KINDS.items()}

    assert [(name, text) for name, text in written.items() if text != (GOLDEN / f"{name}.json").read_text()] == []


def test_golden_sample_decodes() -> None:
    read = {name: decode((GOLDEN / f"{name}.json").read_bytes(), kind) for name, kind in KINDS.items()}

    assert [name for name, message in read.items() if message != sample_of(KINDS[name])] == []


def test_every_golden_sample_belongs_to_a_message() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(KINDS)


def test_unknown_fields_are_ignored() -> None:
    """Members added by a newer release are ignored (FD-28)."""
    names = [name for name, kind in KINDS.items() if issubclass(kind, Message)]

    assert [name for name in names if _read_with(name, "field_of_a_newer_release") != sample_of(KINDS[name])] == []


def test_unknown_keys_of_the_apply_document_are_refused() -> None:
    """A misspelt member in an apply document is an error (P10)."""
    names = [name for name, kind in KINDS.items() if not issubclass(kind, Message)]

    assert [name for name in names if "mispelt" not in str(_read_with(name, "mispelt"))] == []


def _read_with(name: str, member: str) -> msgspec.Struct | str:
    """Returns the golden sample with one more member, or the error text."""
    golden = json.loads((GOLDEN / f"{name}.json").read_bytes())
    try:
        return decode(json.dumps({**golden, member: {"x": [1]}}).encode(), KINDS[name])
    except msgspec.ValidationError as error:
        return str(error)
