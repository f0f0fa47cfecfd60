from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from portico_harness.drills import FAULTS, drills_of


@pytest.mark.parametrize(
    ("own", "module", "ids"),
    [
        ("It holds (FD-01).", "", ["FD-01"]),
        ("It holds (FD-22, FD-01, decision 0039).", "All of it (FD-05).", ["FD-01", "FD-22"]),
        ("It holds.", "All of it (FD-05).", ["FD-05"]),
        ("It holds (HH-01).", "", []),
    ],
)
def test_drill_ids_are_read_from_docstrings(own: str, module: str, ids: list[str]) -> None:
    """The drill ids of a test come from its docstring, or else from that of its module."""
    item = SimpleNamespace(function=SimpleNamespace(__doc__=own), module=SimpleNamespace(__doc__=module))
    assert drills_of(cast("Any", item)) == ids


def test_every_listed_drill_has_a_test() -> None:
    """Every fault drill of the list has a test, and no test names an unknown drill."""
    root = Path(__file__).parents[3]
    folders = ("libs", "services", "tools", "apps", "testing", "tests-e2e")
    files = [file for folder in folders for file in (root / folder).rglob("test_*.py") if file != Path(__file__)]
    named = {id for file in files for id in re.findall(r"\bFD-\d{2}", file.read_text())}

    assert named == set(FAULTS)
