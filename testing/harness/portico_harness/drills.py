"""``--drills``: only the tests of faults, and a table of what held, by the ids of the fault drills."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

import pytest

_ID: Final = re.compile(r"\bFD-\d{2}")


def drills_of(item: pytest.Item) -> list[str]:
    """The ids a test names, in its own sentence or in that of its module: ``FD-01``."""
    function, module = getattr(item, "function", None), getattr(item, "module", None)
    own = _ids(getattr(function, "__doc__", None) or "")
    return own or _ids(getattr(module, "__doc__", None) or "")


def _ids(text: str) -> list[str]:
    return sorted(set(_ID.findall(text)))


class Drills:
    """The plugin of a run with ``--drills``."""

    def __init__(self) -> None:
        self._ids: dict[str, list[str]] = {}
        self._results: dict[str, str] = {}

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leaves the tests that name a drill."""
        drills = [item for item in items if drills_of(item)]
        self._ids = {item.nodeid: drills_of(item) for item in drills}
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in self._ids])
        items[:] = drills

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remembers the worst of a test's phases."""
        if report.failed or report.nodeid not in self._results:
            self._results[report.nodeid] = report.outcome

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One row for each drill: how many of its tests held, and those that did not."""
        by_drill: dict[str, list[str]] = defaultdict(list)
        for nodeid, ids in self._ids.items():
            for id in ids:
                by_drill[id].append(nodeid)
        terminalreporter.section("drills")
        for id, nodeids in sorted(by_drill.items()):
            broken = [nodeid for nodeid in nodeids if self._results.get(nodeid) != "passed"]
            terminalreporter.write_line(f"{id}  {len(nodeids) - len(broken):>3} of {len(nodeids)} held")
            for nodeid in broken:
                terminalreporter.write_line(f"       {nodeid}")
