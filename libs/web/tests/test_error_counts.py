from __future__ import annotations

import pytest
from portico_oauth.errors import ErrorCode, Kind
from portico_web import error_counts
from prometheus_client import REGISTRY


def counted(error: str) -> float:
    return REGISTRY.get_sample_value("portico_refusals_total", {"error": error}) or 0.0


def test_errors_beyond_the_limit_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_counts, "MOST", 2)
    monkeypatch.setattr(error_counts, "_seen", set())
    codes = [ErrorCode(f"XCNT-{number:03}", Kind.INVALID_REQUEST, "No.", "Stop.") for number in range(4)]
    others = counted(error_counts.OTHERS)
    for code in (*codes, codes[0]):
        error_counts.count_error(code.error())

    assert [counted(code.id) for code in codes] == [2, 1, 0, 0]
    assert counted(error_counts.OTHERS) - others == 2
