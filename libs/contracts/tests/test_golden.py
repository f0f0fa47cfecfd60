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
CURE = "If the change is intended: PORTICO_TEST_REGENERATE=1 pytest libs/contracts/tests/test_golden.py"
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

    assert [name for name, text in written.items() if text != _golden_of(name).decode()] == [], CURE


def test_golden_sample_decodes() -> None:
    assert [name for name, kind in KINDS.items() if _read(_golden_of(name), kind) != sample_of(kind)] == [], CURE


def test_every_golden_sample_belongs_to_a_message() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(KINDS), CURE


def test_unknown_fields_are_ignored() -> None:
    """Members added by a newer release are ignored (FD-28)."""
    names = [name for name, kind in KINDS.items() if issubclass(kind, Message)]

    assert [name for name in names if _read_with(name, "field_of_a_newer_release") != sample_of(KINDS[name])] == [], (
        CURE
    )


def test_unknown_keys_of_the_apply_document_are_refused() -> None:
    """A misspelt member in an apply document is an error (P10)."""
    names = [name for name, kind in KINDS.items() if not issubclass(kind, Message)]

    assert [name for name in names if "mispelt" not in str(_read_with(name, "mispelt"))] == []


def _golden_of(name: str) -> bytes:
    """An empty object for a new message, of which nothing was written yet."""
    path = GOLDEN / f"{name}.json"
    return path.read_bytes() if path.exists() else b"{}"


def _read_with(name: str, member: str) -> msgspec.Struct | str:
    """Returns the golden sample with one more member, or the error text."""
    golden = json.loads(_golden_of(name))
    return _read(json.dumps({**golden, member: {"x": [1]}}).encode(), KINDS[name])


def _read(data: bytes, kind: type[msgspec.Struct]) -> msgspec.Struct | str:
    try:
        return decode(data, kind)
    except msgspec.ValidationError as error:
        return str(error)
