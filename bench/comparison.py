"""Processor time of two commits, measured in turn: what counts as dearer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Final

from bench.measuring import Place, Row
from bench.table import aligned

ALLOWED: Final = 1.10
"""The limit of what an operation may cost now, in multiples of before."""

BEFORE: Final = "before"
NOW: Final = "now"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One operation, with a figure of each round; rounds alternate, so the figures of a round belong together."""

    operation: str
    before: Sequence[float]
    now: Sequence[float]

    @property
    def ratios(self) -> list[float]:
        return [now / before for before, now in zip(self.before, self.now, strict=True)]

    @property
    def change(self) -> float:
        return median(self.ratios) - 1

    @property
    def spread(self) -> float:
        """Between the quartiles of the ratios of the rounds; without bound for one round, which shows none."""
        ratios = self.ratios
        if len(ratios) < 2:
            return float("inf")
        low, _, high = quantiles(ratios, n=4, method="inclusive")
        return high - low

    @property
    def over(self) -> bool:
        return self.change > ALLOWED - 1

    @property
    def is_dearer(self) -> bool:
        """Reports whether it is over the limit by more than the rounds differ."""
        return self.over and self.change > self.spread


def compare(rows: Mapping[Place, Row]) -> list[Comparison]:
    """The operations that both trees serve."""
    found = []
    for place, row in rows.items():
        before = next((one for at, one in rows.items() if _pair(at, place)), None)
        if place.target == NOW and before and row.samples and before.samples:
            found.append(Comparison(place.operation, _totals(before), _totals(row)))
    return found


def comparison_table(found: Sequence[Comparison]) -> str:
    """In Markdown."""
    cells = [
        [
            one.operation,
            f"{median(one.before):,.0f}",
            f"{median(one.now):,.0f}",
            f"{one.change:+.0%}",
            f"{one.spread:.0%}" if len(one.before) > 1 else "-",
            str(len(one.before)),
            "dearer" if one.is_dearer else "over, within the spread" if one.over else "",
        ]
        for one in found
    ]
    return "\n".join(aligned(["operation", "before µs", "now µs", "change", "spread", "rounds", "verdict"], cells))


def _pair(one: Place, other: Place) -> bool:
    return one.target == BEFORE and one.operation == other.operation


def _totals(row: Row) -> list[float]:
    return [sum(sample.cpu_us.values()) for sample in row.samples]
