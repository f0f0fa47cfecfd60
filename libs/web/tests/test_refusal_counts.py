from __future__ import annotations

import pytest
from portico_oauth.errors import ErrorCode, Kind
from portico_web import refusal_counts
from prometheus_client import REGISTRY


def counted(error: str) -> float:
    return REGISTRY.get_sample_value("portico_refusals_total", {"error": error}) or 0.0


def test_errors_beyond_the_limit_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusal_counts, "MOST", 2)
    monkeypatch.setattr(refusal_counts, "_seen", set())
    codes = [ErrorCode(f"XCNT-{number:03}", Kind.INVALID_REQUEST, "No.", "Stop.") for number in range(4)]
    others = counted(refusal_counts.OTHERS)
    for code in (*codes, codes[0]):
        refusal_counts.count_refusal(code.error())

    assert [counted(code.id) for code in codes] == [2, 1, 0, 0]
    assert counted(refusal_counts.OTHERS) - others == 2
