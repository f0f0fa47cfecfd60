"""The option ``--drills``: runs only the fault drills and prints a table of results by drill id."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

import pytest

_ID: Final = re.compile(r"\bFD-\d{2}")

FAULTS: Final = {
    "FD-01": "the cache is killed",
    "FD-02": "the cache cannot be reached: packets are dropped",
    "FD-05": "the bus is killed",
    "FD-06": "services are cut off from the bus",
    "FD-08": "the database is killed",
    "FD-11": "replicas are killed in turn",
    "FD-12": "rolling restart",
    "FD-14": "clocks are wrong, or jump",
    "FD-15": "keys rotate under load",
    "FD-17": "cold start in any order",
    "FD-18": "the edge is reloaded and killed",
    "FD-19": "stores are slow",
    "FD-20": "pools are exhausted",
    "FD-22": "revocation storm",
    "FD-24": "the mail server is down",
    "FD-26": "an external provider hangs",
    "FD-27": "long use: nothing grows",
    "FD-28": "two releases side by side",
}


def drills_of(item: pytest.Item) -> list[str]:
    """Returns the drill ids (``FD-01``) in a test's docstring, or else in that of its module."""
    function, module = getattr(item, "function", None), getattr(item, "module", None)
    own = _ids(getattr(function, "__doc__", None) or "")
    return own or _ids(getattr(module, "__doc__", None) or "")


def _ids(text: str) -> list[str]:
    return sorted(set(_ID.findall(text)))


class Drills:
    def __init__(self) -> None:
        self._ids: dict[str, list[str]] = {}
        self._results: dict[str, str] = {}

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        drills = [item for item in items if drills_of(item)]
        self._ids = {item.nodeid: drills_of(item) for item in drills}
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in self._ids])
        items[:] = drills

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed or report.nodeid not in self._results:
            self._results[report.nodeid] = report.outcome

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        by_drill: dict[str, list[str]] = defaultdict(list)
        for nodeid, ids in self._ids.items():
            for id in ids:
                by_drill[id].append(nodeid)
        terminalreporter.section("drills")
        for id in sorted({*FAULTS, *by_drill}):
            nodeids = by_drill[id]
            broken = [nodeid for nodeid in nodeids if self._results.get(nodeid) != "passed"]
            held = f"{len(nodeids) - len(broken):>3} of {len(nodeids)} held" if nodeids else "  not drilled here"
            terminalreporter.write_line(f"{id}  {FAULTS.get(id, ''):<50} {held}")
            for nodeid in broken:
                terminalreporter.write_line(f"       {nodeid}")
