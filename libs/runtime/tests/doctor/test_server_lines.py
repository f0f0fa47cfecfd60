from __future__ import annotations

from datetime import date

from portico_runtime.doctor.server_lines import MONGODB, VALKEY, oldest, past_end


def test_ended_lines_are_known() -> None:
    """MongoDB 6.0 ended on 31 July 2025; an unlisted version has no end."""
    assert past_end(MONGODB, (6, 0, 27), date(2025, 8, 1)) == date(2025, 7, 31)
    assert past_end(MONGODB, (6, 0, 27), date(2025, 7, 31)) is None
    assert past_end(MONGODB, (8, 0, 30), date(2026, 11, 29)) is None
    assert past_end(MONGODB, (9, 0, 1), date(2040, 1, 1)) is None
    assert past_end(VALKEY, (9, 1, 2), date(2040, 1, 1)) is None


def test_oldest_lines_are_known() -> None:
    assert oldest(MONGODB) == (6, 0)
    assert oldest(VALKEY) == (8, 0)
