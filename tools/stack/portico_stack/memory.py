"""How much memory processes really take."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def mebibytes(pids: Iterable[int]) -> float:
    """Proportional set size of the processes together: pages they share count once (Linux)."""
    return sum(_proportional_kib(pid) for pid in pids) / 1024


def _proportional_kib(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
