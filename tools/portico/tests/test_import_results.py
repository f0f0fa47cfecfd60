"""What an import prints: it stays readable, and its memory flat, where a million rows have the same problem."""

from __future__ import annotations

import tracemalloc

import pytest
from portico_cli.terminal.progress import Lines, Progress
from portico_cli.user_import import results
from portico_cli.user_import.lines import Line
from portico_cli.user_import.results import ResultPrinter, RowResult
from portico_contracts.users import RowOutcome, RowProblem

OTHER = RowProblem(field="", id="USER-840", text="A user exists already.")
ADDRESS = RowProblem(field="email", id="USER-005", text="Invalid email address.")


def refused(number: int, problem: RowProblem = OTHER) -> RowResult:
    return RowResult(Line(number, "{}"), RowOutcome(status="refused", problems=(problem,)))


def test_repeated_problems_are_counted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """After a thousand problems, two here, the others are counted by their ids."""
    monkeypatch.setattr(results, "PRINTED", 2)
    printer = ResultPrinter(None, Progress(Lines("", None)), dry_run=False)
    for number, problem in enumerate((OTHER, ADDRESS, OTHER, ADDRESS, OTHER), start=1):
        printer.add(refused(number, problem))

    assert capsys.readouterr().out.splitlines() == [
        "1: A user exists already. (USER-840)",
        "2: email: Invalid email address. (USER-005)",
        "Further problems are counted at the end, and --report FILE has all of them.",
    ]
    assert printer.summary().splitlines() == [
        "2 more: A user exists already. (USER-840)",
        "1 more: Invalid email address. (USER-005)",
        "0 created, 0 already imported, 5 refused.",
    ]


def test_memory_does_not_grow_with_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The printer retains nothing of a row whose result was printed."""
    monkeypatch.setattr(results, "PRINTED", 2)
    written: list[int] = []
    printer = ResultPrinter(
        lambda line: written.append(1) if not written else None, Progress(Lines("", None)), dry_run=False
    )
    for number in range(100):
        printer.add(refused(number))
    tracemalloc.start()
    for number in range(100, 10_100):
        printer.add(refused(number))
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert grown < 4096
    assert printer.counted["refused"] == 10_100
