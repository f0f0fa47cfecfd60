"""The results of a drill, one row per fault: printed, and recorded in the guide about high availability."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from portico_scenarios.steady_load import SteadyLoad

GUIDE: Final = Path(__file__).parents[3] / "docs" / "guides" / "high-availability.md"

_RECORDED: Final = os.environ.get("PORTICO_TEST_RECORD") == "1"


@dataclass(frozen=True, slots=True)
class Row:
    """One fault.

    Attributes:
        asked: number of requests from its beginning until the next fault.
        failed: number of failures among them.
        last: seconds from its beginning to the last failed request.
        after_repair: seconds from its end to the last failed request; None for a permanent fault.
    """

    fault: str
    asked: int
    failed: int
    last: float
    after_repair: float | None = None


def table(load: SteadyLoad, rows: Sequence[Row], lost: int, seconds: float) -> str:
    """Formats the rows in Markdown, with totals.

    Args:
        lost: acknowledged writes that were lost.
        seconds: minimum duration of each fault.
    """
    asked, failed = load.outcome.asked, len(load.outcome.failed)
    sums = (
        f"{asked:,} requests, {failed} failed ({failed / asked:.2%}), {len(load.outcome.wrong)} answered wrongly; "
        f"{len(load.tokens):,} acknowledged writes, {lost} lost. "
        f"Each fault for {seconds:g} s."
    )
    lines = ["| Fault | Requests | Failed | The last after | And after the repair |", "|---|---|---|---|---|"]
    for row in rows:
        repaired = "" if row.after_repair is None else f"{row.after_repair:.1f} s"
        lines.append(f"| {row.fault} | {row.asked} | {row.failed} | {row.last:.1f} s | {repaired} |")
    return "\n".join([sums, "", *lines])


def report(name: str, text: str) -> None:
    """Prints a table, and with ``PORTICO_TEST_RECORD=1`` writes it into the guide."""
    print(f"\n{text}")  # noqa: T201 - read by who drills
    if _RECORDED:
        place = re.compile(rf"(<!-- drill {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        guide, found = place.subn(lambda marks: f"{marks[1]}{text}\n{marks[2]}", GUIDE.read_text())
        assert found == 1, f"the guide has no place for {name}"
        GUIDE.write_text(guide)
