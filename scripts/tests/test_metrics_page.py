from __future__ import annotations

import re
from collections.abc import Iterator

from generated_files import ROOT

_METRIC = re.compile(r"(?:Counter|Gauge|Histogram|Tallies|Timings)\(\s*\"(portico_[a-z_]+)\"")


def _declared() -> Iterator[str]:
    for path in (*ROOT.glob("libs/*/portico_*/**/*.py"), *ROOT.glob("services/*/portico_*/**/*.py")):
        yield from _METRIC.findall(path.read_text())


def test_documented_metrics_are_the_declared_ones() -> None:
    """Each declared metric is in docs/metrics.md, and each documented one is declared."""
    listed = (ROOT / "docs/metrics.md").read_text().partition("## Renamed")[0]

    assert sorted(set(_declared())) == sorted(re.findall(r"`(portico_[a-z_]+)`", listed))
