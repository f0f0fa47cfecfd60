from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from portico_harness.service_logs import complaints_since

AUTHZ = """\
not JSON
{"event": "refused", "error_code": "PORT-004", "level": "info", "timestamp": "2026-09-21T12:00:01Z"}
{"event": "refused", "error_code": "AUTHZ-001", "level": "info", "timestamp": "2026-09-21T12:00:02Z"}
{"event": "late", "level": "error", "timestamp": "yesterday"}
{"event": "bus", "level": "warning", "timestamp": "2026-09-21T11:59:59Z"}
{"event": "cut of
"""
GATEWAY = (
    '{"level": "error", "ts": 1789992001.5, "msg": "dial"}\n{"level": "info", "ts": 1789992001.5, "msg": "fine"}\n'
)


def test_recent_warnings_are_printed(tmp_path: Path) -> None:
    """Warnings and errors of all logs are printed in order of time, without older and irrelevant lines."""
    (tmp_path / "authz-1.log").write_text(AUTHZ)
    (tmp_path / "gateway.log").write_text(GATEWAY)
    lines = complaints_since(tmp_path, datetime(2026, 9, 21, 12, tzinfo=UTC)).splitlines()

    assert [line.split(":")[0] for line in lines] == ["authz-1", "gateway"]
