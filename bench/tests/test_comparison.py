"""What counts as dearer than at another commit."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bench.check import Measured
from bench.comparison import Comparison, compare, comparison_table
from bench.measuring import Place, Row, Sample
from bench.wrk import Load

QUIET = [100.0, 102.0, 98.0]


def row(target: str, *cpu_us: float, operation: str = "userinfo") -> Row:
    load = Load(duration_us=1e6, requests=1, operations=1, p50_us=1, p95_us=1, p99_us=1)
    return Row(Place(operation, target, 100), [Sample(load, {"token": one - 1, "redis": 1}) for one in cpu_us])


@pytest.mark.parametrize(
    ("before", "now", "over", "dearer"),
    [
        (QUIET, [109, 111, 107], False, False),
        (QUIET, [112, 114, 110], True, True),
        (QUIET, [100, 115, 140], True, False),  # 13 % over, while the quartiles of the rounds are 21 % apart
        ([100, 200, 400], [112, 224, 448], True, True),  # a machine that slows down does so for both
        ([100], [200], True, False),  # one round does not show how much rounds differ
    ],
)
def test_dearer_is_over_a_tenth_and_more_than_rounds_differ(
    before: Sequence[float], now: Sequence[float], *, over: bool, dearer: bool
) -> None:
    found = Comparison("userinfo", before, now)

    assert (found.over, found.is_dearer) == (over, dearer)


def test_rounds_are_compared_where_both_commits_serve_the_operation() -> None:
    rows = [
        row("before", 100, 100),
        row("now", 120, 120),
        row("before", operation="refresh"),
        row("now", 1.0, 1.0, operation="refresh"),
    ]

    found = compare({one.place: one for one in rows})

    assert found == [Comparison("userinfo", [100, 100], [120, 120])]
    assert "| userinfo  |       100 |    120 |   +20% |     0% |      2 | dearer  |" in comparison_table(found)


def test_dearer_operations_and_memory_are_named() -> None:
    dearer = Comparison("userinfo", [100, 100], [120, 120])
    cheap = Comparison("refresh", [100, 100], [90, 90])

    assert list(Measured([dearer, cheap], (100.0, 110.0), []).dearer()) == [
        "userinfo: +20% processor time, while rounds differ by 0%"
    ]
    assert list(Measured([cheap], (100.0, 111.0), []).dearer()) == ["memory of the services: 111 MiB, before 100"]
