"""Prints warnings and errors of a stack's service logs for a failed scenario."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

MOST: Final = 60
"""Maximum number of lines printed; the last ones."""

_BAD: Final = ("warning", "error", "critical")


def complaints_since(logs: Path, since: datetime) -> str:
    """Returns warnings, errors and dependency failures (PORT-) of all logs, ordered by time."""
    found = [(at, line) for path in logs.glob("*.log") for at, line in _complaints(path) if at >= since]
    return "\n".join(line for _, line in sorted(found)[-MOST:])


def _complaints(path: Path) -> list[tuple[datetime, str]]:
    lines = [_read(line) for line in path.read_text(errors="replace").splitlines() if line.startswith("{")]
    return [(_at(entry), f"{path.stem}: {json.dumps(entry)}") for entry in lines if _is_bad(entry)]


def _read(line: str) -> dict[str, Any]:
    try:
        entry: dict[str, Any] = json.loads(line)
    except ValueError:  # the process was killed while it wrote
        return {}
    return entry


def _is_bad(entry: dict[str, Any]) -> bool:
    for_want_of_a_part = entry.get("event") == "refused" and str(entry.get("error_code", "")).startswith("PORT-")
    return for_want_of_a_part or entry.get("level") in _BAD


def _at(entry: dict[str, Any]) -> datetime:
    if isinstance(seconds := entry.get("ts"), float | int):  # the gateway's
        return datetime.fromtimestamp(seconds, UTC)
    try:
        return datetime.fromisoformat(str(entry.get("timestamp"))).astimezone(UTC)
    except ValueError:  # another format of time
        return datetime.fromtimestamp(0, UTC)
