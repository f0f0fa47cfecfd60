"""CPU time and memory of processes, and the cores they run on (Linux)."""

from __future__ import annotations

import asyncio
import os
import time
from collections import defaultdict
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from portico_stack.processes.programs import mebibytes

from bench.target import BenchFailed

Result = TypeVar("Result")
_PROC: Final = Path("/proc")
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class Meter:
    """What the processes of components, and those they start, use without what they use at rest."""

    def __init__(self, pids: Mapping[str, Sequence[int]]) -> None:
        self._pids = pids
        self.at_rest = dict.fromkeys(pids, 0.0)
        """The share of a core that each component uses while nothing is requested."""

    async def rest(self, seconds: float = 4.0) -> None:
        """Measures what is used at rest."""
        self.at_rest = dict.fromkeys(self._pids, 0.0)
        _, spent = await self.spent(asyncio.sleep(seconds))
        self.at_rest = {name: used / seconds for name, used in spent.items()}

    async def spent(self, work: Awaitable[Result]) -> tuple[Result, dict[str, float]]:
        """The result, and CPU seconds by component."""
        began, before = time.perf_counter(), self._cpu_seconds()
        result = await work
        after, seconds = self._cpu_seconds(), time.perf_counter() - began
        return result, {
            name: max(after[name] - before[name] - share * seconds, 0.0) for name, share in self.at_rest.items()
        }

    def memory_mib(self) -> dict[str, float]:
        """Proportional set size by component."""
        stats = read_stats()
        return {name: mebibytes(families(several, stats)) for name, several in self._pids.items()}

    def _cpu_seconds(self) -> dict[str, float]:
        stats = read_stats()
        for name, several in self._pids.items():
            if any(pid not in stats for pid in several):
                raise BenchFailed(f"{name} ended during the measurement")
        return {name: sum(stats[one][1] for one in families(pids, stats)) for name, pids in self._pids.items()}


def parse_stat(text: str) -> tuple[int, float]:
    """The parent and the CPU seconds in ``/proc/<pid>/stat``. The name in brackets may hold brackets and spaces."""
    fields = text.rpartition(")")[2].split()
    return int(fields[1]), (int(fields[11]) + int(fields[12])) / _TICKS


def split_cores(measured: Iterable[int]) -> None:
    """Moves measured processes to the first core, this one to the others; those of other programs stay."""
    every, stats = sorted(os.sched_getaffinity(0)), read_stats()
    ours, theirs = set(families([os.getpid()], stats)), set(families(measured, stats))
    for pids, cores in ((ours - theirs, every[1:] or every), (ours & theirs, every[:1])):
        for pid in pids:
            with suppress(OSError):
                for thread in (_PROC / str(pid) / "task").iterdir():
                    os.sched_setaffinity(int(thread.name), cores)


def read_stats() -> dict[int, tuple[int, float]]:
    """The parent and the CPU seconds of every process."""
    found = {}
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                found[int(entry.name)] = parse_stat((entry / "stat").read_text(errors="replace"))
    return found


def families(pids: Iterable[int], stats: Mapping[int, tuple[int, float]]) -> list[int]:
    """The processes and everything they started that still lives."""
    children = defaultdict(list)
    for number, (parent, _) in stats.items():
        children[parent].append(number)
    family = list(pids)
    for one in family:  # which grows
        family += children[one]
    return family
