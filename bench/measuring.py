"""The rounds: every operation on every target in turn, A B A B, with CPU time read before and after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from bench import wrk
from bench.operations import Operation, Prepared
from bench.plans import write_plan
from bench.preparing import Ground, NotServed
from bench.processes import cpu_seconds
from bench.wrk import Course, Drive, Load

WARM_UP_SECONDS: Final = 1
"""Before the first measurement of an operation, so that caches, connections and code are warm."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of one operation.

    Args:
        cpu_us: CPU time per operation by service; empty where no processes are known.
    """

    load: Load
    cpu_us: dict[str, float]

    @property
    def busy(self) -> float:
        """CPU time of all services over the length of the run: 1 when one core had nothing else to do."""
        return sum(self.cpu_us.values()) * self.load.per_second / 1e6


@dataclass(frozen=True, slots=True)
class Row:
    """One operation on one target.

    Args:
        samples: one per round.
        not_served: why there are none.
    """

    operation: str
    target: str
    samples: list[Sample] = field(default_factory=list)
    not_served: str = ""

    def middle(self, figure: Callable[[Sample], float]) -> float:
        """The median of a figure over the rounds."""
        return median(figure(sample) for sample in self.samples)

    def cpu_us(self) -> dict[str, float]:
        """Median CPU time per operation by service."""
        names = self.samples[0].cpu_us if self.samples else {}
        return {name: median(sample.cpu_us[name] for sample in self.samples) for name in names}

    def total_cpu_us(self) -> float | None:
        """Median CPU time per operation, all services together; None where it is not known."""
        if not self.samples or not self.samples[0].cpu_us:
            return None
        return self.middle(lambda sample: sum(sample.cpu_us.values()))

    def failures(self) -> list[str]:
        """What went wrong, a sentence per round."""
        return [
            f"{self.operation} on {self.target}: {sample.load.errors} of {sample.load.requests:.0f} requests; "
            f"{sample.load.first_bad or 'no answer to show'}"
            for sample in self.samples
            if sample.load.errors.total() or not sample.load.operations
        ]


class Measuring:
    """Measures operations on targets.

    Args:
        grounds: the targets in turn, A, B.
        drive: how long and how hard.
        plans: directory for the plans of the scripts.
        say: gets a line per measurement.
    """

    def __init__(self, grounds: Sequence[Ground], drive: Drive, plans: Path, say: Callable[[str], None]) -> None:
        self._grounds = grounds
        self._drive = drive
        self._plans = plans
        self._say = say
        self._prepared: dict[tuple[str, str], Prepared] = {}
        self._rows: dict[tuple[str, str], Row] = {}

    async def round(self, operations: Sequence[Operation]) -> None:
        """One round over everything."""
        for operation in operations:
            for ground in self._grounds:
                await self._measure(operation, ground)

    def rows(self) -> list[Row]:
        """What was measured so far."""
        return list(self._rows.values())

    async def _measure(self, operation: Operation, ground: Ground) -> None:
        place = (operation.name, ground.target.name)
        first = place not in self._rows
        row = self._rows.setdefault(place, Row(*place))
        if row.not_served:
            return
        try:
            connections = min(self._drive.connections, operation.at_most)
            if first:
                await self._drive_once(operation, ground, Drive(WARM_UP_SECONDS, connections))
            drive = Drive(self._drive.seconds * operation.longer, connections)
            sample = await self._drive_once(operation, ground, drive)
        except NotServed as reason:
            self._rows[place] = Row(*place, not_served=str(reason))
            self._say(f"  {operation.name:<26} {ground.target.name:<9} not served: {reason}")
            return
        row.samples.append(sample)
        self._say(_line(row, sample))

    async def _drive_once(self, operation: Operation, ground: Ground, drive: Drive) -> Sample:
        course = await self._course(operation, ground)
        before = cpu_seconds(ground.target.pids)
        load = await wrk.run(course, drive)
        after = cpu_seconds(ground.target.pids)
        done = max(load.operations, 1)
        return Sample(load, {name: (after[name] - before[name]) * 1e6 / done for name in before})

    async def _course(self, operation: Operation, ground: Ground) -> Course:
        place = (operation.name, ground.target.name)
        if operation.renewed or place not in self._prepared:
            self._prepared[place] = await operation.prepare(ground)
        prepared = self._prepared[place]
        target = ground.target
        address = target.issuer if prepared.front else target.address_of(prepared.url)
        file = "-".join(place).replace(" ", "_").replace("/", "_") + ".lua"
        plan = write_plan(self._plans / file, prepared.plan)
        return Course(address, prepared.script, plan, operation.chained)


def _line(row: Row, sample: Sample) -> str:
    cpu = f"{sum(sample.cpu_us.values()):9,.0f} µs CPU" if sample.cpu_us else " " * 16
    wrong = f"  ERRORS: {sample.load.errors}" if sample.load.errors.total() else ""
    rate = f"{sample.load.per_second:10,.0f} /s  p50 {sample.load.p50_us / 1000:8.2f} ms"
    return f"  {row.operation:<26} {row.target:<9} {rate} {cpu}{wrong}"
