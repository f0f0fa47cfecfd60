"""What the services of a stack complained about, for whoever reads why a scenario failed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

MOST: Final = 60
"""Lines told of; the last ones."""

_BAD: Final = ("warning", "error", "critical")


def complaints_since(logs: Path, moment: datetime) -> str:
    """Warnings, errors and refusals for want of a part (PORT-) in all logs, in order of time.

    Args:
        logs: the directory of the services' logs.
        moment: none older is told.
    """
    found = [(at, line) for path in logs.glob("*.log") for at, line in _complaints(path) if at >= moment]
    return "\n".join(line for _, line in sorted(found)[-MOST:])


def _complaints(path: Path) -> list[tuple[datetime, str]]:
    lines = [_read(line) for line in path.read_text(errors="replace").splitlines() if line.startswith("{")]
    return [(_at(said), f"{path.stem}: {json.dumps(said)}") for said in lines if _is_bad(said)]


def _read(line: str) -> dict[str, Any]:
    try:
        said: dict[str, Any] = json.loads(line)
    except ValueError:  # the process was killed while it wrote
        return {}
    return said


def _is_bad(said: dict[str, Any]) -> bool:
    for_want_of_a_part = said.get("event") == "refused" and str(said.get("error_code", "")).startswith("PORT-")
    return for_want_of_a_part or said.get("level") in _BAD


def _at(said: dict[str, Any]) -> datetime:
    if isinstance(seconds := said.get("ts"), float | int):  # the gateway's
        return datetime.fromtimestamp(seconds, UTC)
    try:
        return datetime.fromisoformat(str(said.get("timestamp"))).astimezone(UTC)
    except ValueError:  # somebody else's way to say when
        return datetime.fromtimestamp(0, UTC)
