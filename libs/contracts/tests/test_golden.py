"""Golden samples: what is on the wire does not change by accident.

After a change that is meant (a new optional field), write them again::

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


@pytest.mark.parametrize("name", KINDS)
def test_a_message_is_written_as_its_golden_sample(name: str) -> None:
    """Every name, order and form on the wire is as other releases know it (FD-28)."""
    assert (GOLDEN / f"{name}.json").read_text() == _pretty(encode(sample_of(KINDS[name])))


@pytest.mark.parametrize("name", KINDS)
def test_a_golden_sample_is_read_back(name: str) -> None:
    """What another release wrote is understood, field by field."""
    kind = KINDS[name]

    assert decode((GOLDEN / f"{name}.json").read_bytes(), kind) == sample_of(kind)


def test_there_is_no_golden_sample_of_nothing() -> None:
    """A message that was removed or renamed takes its sample with it."""
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(KINDS)


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if issubclass(kind, Message)])
def test_unknown_fields_are_ignored(name: str) -> None:
    """A newer release may send more members (FD-28)."""
    golden = json.loads((GOLDEN / f"{name}.json").read_bytes())
    newer = json.dumps({**golden, "field_of_a_newer_release": {"x": [1]}}).encode()

    assert decode(newer, KINDS[name]) == sample_of(KINDS[name])


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if not issubclass(kind, Message)])
def test_unknown_keys_of_the_apply_document_are_refused(name: str) -> None:
    """A misspelt member in an operator's file is an error, not nothing (P10)."""
    golden = json.loads((GOLDEN / f"{name}.json").read_bytes())

    with pytest.raises(msgspec.ValidationError, match="mispelt"):
        decode(json.dumps({**golden, "mispelt": 1}).encode(), KINDS[name])
