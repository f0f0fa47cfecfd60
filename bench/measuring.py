"""The rounds: every operation in every case in turn, A B A B, with CPU time read before and after."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from bench import wrk
from bench.members import take_back
from bench.operation import Driven, Operation, Prepared
from bench.plans import write_plan
from bench.preparing import Ground, NotServed, PreparationFailed
from bench.processes import cpu_seconds
from bench.wrk import Course, Drive, Load

WARM_UP_SECONDS: Final = 1
"""Before the first measurement of an operation, so that caches, connections and code are warm."""

_REPEATED_SECONDS: Final = 30
_REST_SECONDS: Final = 4
_LONGER: Final = 3


class Way(StrEnum):
    """How a target is asked."""

    FRONT = "gateway"
    """At its own address, as a user asks it."""
    DIRECT = "direct"
    """Past the gateway, at the service."""


class Place(NamedTuple):
    """What a row of figures is about.

    Attributes:
        people: over how many people; 0 where it does not matter.
        stored: users and grants that were stored besides, which nothing is asked about.
    """

    operation: str
    target: str
    way: Way = Way.FRONT
    people: int = 0
    stored: int = 0


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of one operation.

    Args:
        cpu_us: CPU time per operation by component, without what they use at rest; empty where no processes are known.
    """

    load: Load
    cpu_us: dict[str, float]

    @property
    def busy(self) -> float:
        """CPU time of all components over the length of the run: 1 when one core had nothing else to do."""
        return sum(self.cpu_us.values()) * self.load.per_second / 1e6


@dataclass(frozen=True, slots=True)
class Row:
    """One operation in one case.

    Args:
        samples: one per round.
        first: the run over the same people before the first round, where every one of them was new.
        not_served: why there are no samples.
    """

    place: Place
    samples: list[Sample] = field(default_factory=list)
    first: list[Sample] = field(default_factory=list)
    not_served: str = ""

    def middle(self, figure: Callable[[Sample], float]) -> float:
        """The median of a figure over the rounds."""
        return median(figure(sample) for sample in self.samples)

    def cpu_us(self) -> dict[str, float]:
        """Median CPU time per operation by component."""
        names = self.samples[0].cpu_us if self.samples else {}
        return {name: median(sample.cpu_us[name] for sample in self.samples) for name in names}

    def total_cpu_us(self) -> float | None:
        """Median CPU time per operation, all components together; None where it is not known."""
        if not self.samples or not self.samples[0].cpu_us:
            return None
        return self.middle(lambda sample: sum(sample.cpu_us.values()))

    def failures(self) -> list[str]:
        """What went wrong, a sentence per round."""
        return [
            f"{self.place.operation} on {self.place.target}: {sample.load.errors} of {sample.load.requests:.0f} "
            f"requests; {sample.load.first_bad or 'no answer to show'}"
            for sample in self.samples
            if sample.load.errors.total() or not sample.load.operations
        ]


@dataclass(frozen=True, slots=True)
class Case:
    """A target and how it is asked.

    Args:
        counts: numbers of people, the largest first; operations for which it does not matter take that one.
        direct: ask it past its gateway as well, over the largest number.
        stored: how much is stored besides.
    """

    ground: Ground
    counts: Sequence[int]
    direct: bool = False
    stored: int = 0

    def places(self, operation: Operation) -> Iterator[tuple[Place, int]]:
        """Every row of an operation, with the number of people it is prepared for."""
        for people in self.counts if operation.peopled else self.counts[:1]:
            several = people if operation.peopled else 0
            place = Place(operation.name, self.ground.target.name, people=several, stored=self.stored)
            yield place, people
            if self.direct and not operation.crosses and people == self.counts[0]:
                yield place._replace(way=Way.DIRECT), people


class Measuring:
    """Measures operations on targets.

    Args:
        cases: the targets in turn, A, B.
        drive: how long and how hard.
        plans: directory for the plans of the scripts.
        say: gets a line per measurement.
    """

    def __init__(self, cases: Sequence[Case], drive: Drive, plans: Path, say: Callable[[str], None]) -> None:
        self.cases = cases
        self._drive = drive
        self._plans = plans
        self._say = say
        self._prepared: dict[Place, Prepared | Driven] = {}
        self._rows: dict[Place, Row] = {}
        self.at_rest: dict[str, dict[str, float]] = {}
        """By target and component, the share of a core that is used while nothing is requested."""

    async def round(self, operations: Sequence[Operation]) -> None:
        """One round over everything."""
        await self._rest()
        for operation in operations:
            for case in self.cases:
                for place, people in case.places(operation):
                    await self._measure(operation, case.ground, place, people)

    async def repeat(self, operation: Operation, times: int) -> None:
        """Does an operation so many times or a few more, on the last target and past its gateway; counts nothing."""
        ground = self.cases[-1].ground
        place = Place(operation.name, ground.target.name, Way.DIRECT)
        done = 0.0
        while done < times:
            sample = await self._drive_once(
                operation, ground, 1, _Run(place, Drive(_REPEATED_SECONDS, self._drive.connections))
            )
            if sample.load.errors.total() or not sample.load.operations:
                raise PreparationFailed(f"{operation.name} cannot be repeated: {sample.load.first_bad}")
            done += sample.load.operations
            self._say(f"  {operation.name}: {done:,.0f} of {times:,}")

    def rows(self) -> list[Row]:
        """What was measured so far."""
        return list(self._rows.values())

    async def _rest(self) -> None:
        """Finds what components use while nothing is requested. It is the more of a request, the fewer there are."""
        pids = {case.ground.target.name: case.ground.target.pids for case in self.cases}
        began = time.perf_counter()
        before = {name: cpu_seconds(several) for name, several in pids.items()}
        await asyncio.sleep(_REST_SECONDS)
        after = {name: cpu_seconds(several) for name, several in pids.items()}
        seconds = time.perf_counter() - began
        self.at_rest = {
            name: {part: (spent - before[name][part]) / seconds for part, spent in parts.items()}
            for name, parts in after.items()
        }

    async def _measure(self, operation: Operation, ground: Ground, place: Place, people: int) -> None:
        row = self._rows.setdefault(place, Row(place))
        if row.not_served:
            return
        connections = min(self._drive.connections, operation.at_most)
        drive = Drive(self._drive.seconds * operation.longer, connections)
        try:
            if operation.peopled:
                # Longer than the measurement, because unknown people take longer: all of whom it asks are known then.
                wide = Drive(drive.seconds * _LONGER, connections)
                once = await self._drive_once(operation, ground, people, _Run(place, wide, once=True))
                row.first.append(once)
            elif not row.samples:
                await self._drive_once(operation, ground, people, _Run(place, Drive(WARM_UP_SECONDS, connections)))
            sample = await self._drive_once(operation, ground, people, _Run(place, drive))
        except NotServed as reason:
            self._rows[place] = Row(place, not_served=str(reason))
            self._say(f"{_heading(place)} not served: {reason}")
            return
        row.samples.append(sample)
        self._say(_line(row, sample))

    async def _drive_once(self, operation: Operation, ground: Ground, people: int, run: _Run) -> Sample:
        if operation.renewed or run.place not in self._prepared:
            self._prepared[run.place] = await operation.prepare(ground, people)
        prepared = self._prepared[run.place]
        course = None if isinstance(prepared, Driven) else self._course(prepared, operation, ground, run)
        began, before = time.perf_counter(), cpu_seconds(ground.target.pids)
        if isinstance(prepared, Driven):
            load = await prepared.drive(run.drive)
        elif course:
            load = await wrk.run(course, run.drive)
        after, seconds = cpu_seconds(ground.target.pids), time.perf_counter() - began
        if isinstance(prepared, Prepared) and prepared.members:
            take_back(self._state, prepared.members, prepared.attribute)
        at_rest = self.at_rest.get(ground.target.name, {})
        spent = {name: after[name] - before[name] - at_rest.get(name, 0) * seconds for name in before}
        return Sample(load, {name: max(used, 0) * 1e6 / max(load.worth, 1) for name, used in spent.items()})

    @property
    def _state(self) -> Path:
        return self._plans / "state"

    def _course(self, prepared: Prepared, operation: Operation, ground: Ground, run: _Run) -> Course:
        plan = {**prepared.plan, "once": run.once, "threads": run.drive.connections}
        if prepared.members:
            plan["state"] = str(self._state)
        address = ground.target.address_of(prepared.url, direct=run.place.way is Way.DIRECT)
        return Course(address, prepared.script, write_plan(self._plans / "plan.lua", plan), operation.chained)


class _Run(NamedTuple):
    place: Place
    drive: Drive
    once: bool = False


def _heading(place: Place) -> str:
    people = f"{place.people:,} people" if place.people else ""
    if place.stored:
        people = f"{place.stored:,} stored"
    return f"  {place.operation:<26} {people:>14} {place.target:>9} {place.way if place.target != 'limit' else '':<8}"


def _line(row: Row, sample: Sample) -> str:
    cpu = f"{sum(sample.cpu_us.values()):9,.0f} µs CPU" if sample.cpu_us else " " * 16
    wrong = f"  ERRORS: {sample.load.errors}" if sample.load.errors.total() else ""
    rate = f"{sample.load.per_second:10,.0f} /s  p50 {sample.load.p50_us / 1000:8.2f} ms"
    return f"{_heading(row.place)} {rate} {cpu}{wrong}"
