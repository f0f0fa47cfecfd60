"""Which fault drills a test names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from portico_harness.drills import drills_of


@pytest.mark.parametrize(
    ("own", "module", "ids"),
    [
        ("It holds (FD-01).", "", ["FD-01"]),
        ("It holds (FD-22, FD-01, decision 0039).", "All of it (FD-05).", ["FD-01", "FD-22"]),
        ("It holds.", "All of it (FD-05).", ["FD-05"]),
        ("It holds (HH-01).", "", []),
    ],
)
def test_a_test_names_its_drills(own: str, module: str, ids: list[str]) -> None:
    """In its own sentence, else in that of its module."""
    item = SimpleNamespace(function=SimpleNamespace(__doc__=own), module=SimpleNamespace(__doc__=module))
    assert drills_of(cast("Any", item)) == ids
