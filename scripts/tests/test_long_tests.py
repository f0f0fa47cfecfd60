from __future__ import annotations

import sys

import long_tests
import pytest
from long_tests import Suite


def test_every_suite_runs_and_skipped_ones_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failing suite stops no other one, and a suite that cannot run is named with its reason."""
    suites = (
        Suite("broken", (sys.executable, "-c", "raise SystemExit(1)")),
        Suite("good", (sys.executable, "-c", "")),
        Suite("absent", ("no-such-program",), lambda: "no-such-program is not installed"),
    )
    monkeypatch.setattr(long_tests, "SUITES", suites)

    assert long_tests.main() == 1
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "FAILED    broken (0.0 min)",
        "passed    good (0.0 min)",
        "left out  absent: no-such-program is not installed",
    ]
