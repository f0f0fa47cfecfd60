"""Reports test time by level and the slowest modules; printed, and written as JSON."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

import pytest

from portico_harness.groups import END_TO_END

FILE: Final = Path(".portico", "test-times.json")
"""Below the root of the repository."""

_SLOWEST: Final = 10
_SHORT: Final = 60
"""Runs shorter than this many seconds are not reported."""


def level_of(report: pytest.TestReport) -> str:
    """Returns ``end-to-end``, ``servers`` (a test with a real store, bus or gateway) or ``unit``."""
    if report.nodeid.startswith(END_TO_END):
        return "end-to-end"
    return "servers" if "servers" in report.keywords else "unit"


class TestTimes:
    __test__ = False

    def __init__(self) -> None:
        self._levels: dict[str, float] = defaultdict(float)
        self._modules: dict[str, float] = defaultdict(float)
        self._cases: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._levels[level_of(report)] += report.duration
        self._modules[report.nodeid.partition("::")[0]] += report.duration
        self._cases[level_of(report)] += report.when == "call"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
        if sum(self._levels.values()) < _SHORT:
            return
        terminalreporter.section("where the time went (all workers added up)")
        for level, seconds in _most(self._levels):
            terminalreporter.write_line(f"{seconds / 60:6.1f} min  {self._cases[level]:>6} tests  {level}")
        for module, seconds in _most(self._modules)[:_SLOWEST]:
            terminalreporter.write_line(f"{seconds:6.1f} s    {module}")
        self._write(config.rootpath / FILE)

    def _write(self, file: Path) -> None:
        levels = {
            level: {"seconds": round(self._levels[level], 1), "tests": self._cases[level]} for level in self._levels
        }
        modules = {module: round(seconds, 2) for module, seconds in _most(self._modules)}
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps({"levels": levels, "modules": modules}, indent=1) + "\n")


def _most(seconds: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda item: -item[1])
