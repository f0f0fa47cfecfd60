"""Processes of this machine: which there are, on which core they run, how much CPU time they took (Linux)."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Stat:
    """One line of ``/proc/<pid>/stat``: whose child it is, and CPU time in seconds, user and system together."""

    parent: int
    cpu: float


def parse_stat(text: str) -> Stat:
    """Reads the line. The name in brackets may itself hold brackets and spaces."""
    fields = text.rpartition(")")[2].split()
    return Stat(parent=int(fields[1]), cpu=(int(fields[11]) + int(fields[12])) / _TICKS)


def family_of(pid: int) -> list[int]:
    """A process and everything it started that still lives."""
    return _family(pid, _stats())


class ProcessGone(RuntimeError):
    """A process that is measured ended; the text names it."""


def cpu_seconds(pids: Mapping[str, Sequence[int]]) -> dict[str, float]:
    """CPU time by name, taken so far by the processes of that name with everything they started.

    Raises:
        ProcessGone: when one of them ended (and may have been started again under another number).
    """
    stats = _stats()
    for name, several in pids.items():
        if any(pid not in stats for pid in several):
            raise ProcessGone(f"{name} ended during the measurement")
    return {
        name: sum(stats[member].cpu for pid in several for member in _family(pid, stats))
        for name, several in pids.items()
    }


def command_of(pid: int) -> tuple[str, ...]:
    """The command line; empty when the process has ended."""
    with suppress(OSError):
        return tuple((_PROC / str(pid) / "cmdline").read_text(errors="replace").split("\0"))
    return ()


def pin(pids: Iterable[int], cores: set[int]) -> None:
    """Moves processes, all their threads, to some cores; threads and processes they start later follow."""
    for pid in pids:
        for thread in _threads(pid):
            with suppress(ProcessLookupError):
                os.sched_setaffinity(thread, cores)


def _threads(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(entry.name) for entry in (_PROC / str(pid) / "task").iterdir()]
    return []


def _stats() -> dict[int, Stat]:
    found = {}
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                found[int(entry.name)] = parse_stat((entry / "stat").read_text(errors="replace"))
    return found


def _family(pid: int, stats: Mapping[int, Stat]) -> list[int]:
    children = defaultdict(list)
    for number, stat in stats.items():
        children[stat.parent].append(number)
    family, found = [], [pid]
    while found:
        one = found.pop()
        family.append(one)
        found += children[one]
    return family
