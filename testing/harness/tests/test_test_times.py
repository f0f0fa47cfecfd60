from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

from portico_harness.test_times import TestTimes

PHASES: Final[tuple[tuple[str, str, float, dict[str, int]], ...]] = (
    ("tests-e2e/test_a.py::test_one", "setup", 30.0, {}),
    ("tests-e2e/test_a.py::test_one", "call", 60.0, {}),
    ("services/keys/tests/store/test_b.py::test_one", "call", 6.0, {"servers": 1}),
    ("services/keys/tests/store/test_b.py::test_two", "call", 6.0, {"servers": 1}),
    ("libs/oauth/tests/test_c.py::test_one", "call", 0.25, {}),
)


class Screen:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def section(self, title: str) -> None:
        self.lines.append(title)

    def write_line(self, line: str) -> None:
        self.lines.append(line)


def test_report_has_levels_and_slowest_modules(tmp_path: Path) -> None:
    """The report adds up all phases by level and by module, and is written as JSON."""
    times, screen = TestTimes(), Screen()
    for nodeid, when, duration, keywords in PHASES:
        report = SimpleNamespace(nodeid=nodeid, when=when, duration=duration, keywords=keywords)
        times.pytest_runtest_logreport(cast("Any", report))
    times.pytest_terminal_summary(cast("Any", screen), cast("Any", SimpleNamespace(rootpath=tmp_path)))
    written = json.loads((tmp_path / ".portico" / "test-times.json").read_text())

    assert screen.lines == [
        "where the time went (all workers added up)",
        "   1.5 min       1 tests  end-to-end",
        "   0.2 min       2 tests  servers",
        "   0.0 min       1 tests  unit",
        "  90.0 s    tests-e2e/test_a.py",
        "  12.0 s    services/keys/tests/store/test_b.py",
        "   0.2 s    libs/oauth/tests/test_c.py",
    ]
    assert written["levels"]["servers"] == {"seconds": 12.0, "tests": 2}
    assert list(written["modules"]) == [line.split()[-1] for line in screen.lines[4:]]
