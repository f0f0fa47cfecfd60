"""The files that `bench.imports` imports, and what it compares."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from portico_contracts.documents.reading import read_document
from portico_users.user_import.row_format import read_row_body

from bench.imports import Run, reached, write_document, write_rows


def _side(micros: float, rate: float, memory: float = 100.0) -> Any:
    run = Run(people=1_000, seconds=1_000 / rate, cpu={"users": micros / 1_000}, memory=memory)
    return SimpleNamespace(runs={"user import": [run]})


def test_rows_are_those_of_an_import(tmp_path: Path) -> None:
    """Each has a hash, a verified address and another user name."""
    write_rows(tmp_path / "rows", 3, "p")
    rows = [read_row_body(line) for line in (tmp_path / "rows").read_text("utf-8").splitlines()]

    assert [row.username for row in rows] == ["p-0000000", "p-0000001", "p-0000002"]
    assert all(row.hashed_password and row.email.is_verified and row.profile.last_name for row in rows)


def test_document_has_the_people_of_the_rows(tmp_path: Path) -> None:
    write_document(tmp_path / "people.json", 2, "p")
    document = read_document((tmp_path / "people.json").read_text("utf-8"), "people.json", {})
    [org] = document.organizations

    assert [human.username for human in org.humans or ()] == ["p-0000000", "p-0000001"]
    assert all(human.hashed_password for human in org.humans or ())
    assert msgspec.json.encode(document)


@pytest.mark.parametrize(
    ("now", "is_reached"),
    [
        (_side(400, 300), True),
        (_side(401, 300), False),
        (_side(400, 299), False),
        (_side(400, 300, memory=301), False),
    ],
    ids=["as wanted", "too much", "too slow", "too large"],
)
def test_what_is_wanted_is_a_ratio_in_one_run(now: Any, *, is_reached: bool) -> None:
    """At most 0.4 times the processor time, at least 3 times the rows a second, at most 300 MiB."""
    assert reached([_side(1_000, 100), now]) is is_reached
