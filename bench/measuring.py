"""The rounds: every operation on every target in turn, A B A B, with CPU time read before and after."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Final

from portico_stack.machine.private_files import write_private

from bench import wrk
from bench.operations import Driver, Operation, Prepared
from bench.processes import Meter
from bench.relying_party import NotServed, RelyingParty
from bench.target import Member, say
from bench.wrk import Drive, Load, PlanValue, write_plan

CONNECTIONS: Final = 32
PART: Final = 0.7
_ARRIVING: Final = 128  # connections then: the more, the less one request waits for another of its connection
_FEW: Final = 100  # users, in addition to the whole population
_WARM_UP_SECONDS: Final = 1
_COMPILE_SECONDS: Final = 5
_LONGER: Final = 3


@dataclass(frozen=True, slots=True)
class Place:
    """What a row of figures is about; people are 0 where their number does not matter."""

    operation: str
    target: str
    people: int = 0
    direct: bool = False

    def __str__(self) -> str:
        people = f", {self.people:,} people" if self.people else ""
        return f"{self.operation}{people}, {'direct' if self.direct else 'gateway'}"


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of one operation, with CPU time per operation by component."""

    load: Load
    cpu_us: dict[str, float]


@dataclass(slots=True)
class Row:
    """One operation in one place: a sample per round, one before the first round, where every person was new, and one at
    a part of the load.
    """

    place: Place
    samples: list[Sample] = field(default_factory=list)
    first: Sample | None = None
    part_load: Sample | None = None
    not_served: str = ""

    def middle(self, figure: Callable[[Sample], float]) -> float:
        """The median of a figure over the rounds."""
        return median(figure(sample) for sample in self.samples)

    def cpu_us(self) -> dict[str, float]:
        """Median CPU time per operation by component; empty where no processes are known."""
        names = self.samples[0].cpu_us if self.samples else {}
        return {name: median(sample.cpu_us[name] for sample in self.samples) for name in names}

    def total_cpu_us(self) -> float | None:
        """Median CPU time per operation, all components together."""
        return self.middle(lambda sample: sum(sample.cpu_us.values())) if self.cpu_us() else None

    def failures(self) -> list[str]:
        """What went wrong, a sentence per round."""
        samples = [*self.samples, *([self.part_load] if self.part_load else [])]
        problems = (sample.load.problem() for sample in samples)
        return [f"{self.place.operation} on {self.place.target}: {problem}" for problem in problems if problem]


class Measuring:
    """Measures operations on targets in turn; the folder is for plans.

    Args:
        direct: past their gateway too.
        few: the last party over a few people too.
        connections: requests at the same time; fewer where an operation has a limit.
    """

    def __init__(
        self,
        parties: Sequence[RelyingParty],
        seconds: int,
        folder: Path,
        *,
        direct: bool = False,
        few: bool = True,
        connections: int = CONNECTIONS,
    ) -> None:
        self.meters = {party.target.name: Meter(party.target.pids) for party in parties}
        self.rows: dict[Place, Row] = {}
        self._parties = parties
        self._seconds = seconds
        self._folder = folder
        self._direct = direct
        self._few = few
        self._connections = connections
        self._prepared: dict[Place, Prepared | Driver] = {}

    async def round(self, operations: Sequence[Operation]) -> None:
        """One round over everything."""
        await asyncio.gather(*(meter.rest() for meter in self.meters.values()))
        for operation in operations:
            for party in self._parties:
                for place in self._places(operation, party):
                    await self._measure(operation, party, place)

    async def part_load(self, operations: Sequence[Operation]) -> None:
        """Drives the last party at `PART` of the rate that it reached, with requests that arrive independently."""
        party = self._parties[-1]
        for operation in operations:
            place = next(self._places(operation, party))
            row = self.rows.get(place)
            if row and row.samples and isinstance(self._prepared.get(place), Prepared):
                connections = self._connections if operation.chained else _ARRIVING
                drive = Drive(_WARM_UP_SECONDS, connections)
                wanted = PART * row.middle(lambda sample: sample.load.per_second)
                pause = connections / wanted
                probe = await self._drive_once(operation, party, place, drive, pause_us=_microseconds(pause))
                taken = max(connections / max(probe.load.per_second, 1) - pause, 0)
                drive = drive._replace(seconds=self._seconds * operation.longer)
                pause_us = _microseconds(max(pause - taken, 0))
                row.part_load = await self._drive_once(operation, party, place, drive, pause_us=pause_us)
                load = row.part_load.load
                say(f"  {place!s:<40} {load.per_second:8,.0f} /s, p99 {load.p99_us / 1e3:.1f} ms {load.problem()}")

    def _places(self, operation: Operation, party: RelyingParty) -> Iterator[Place]:
        """Over all people and over a few; past the gateway over all of them."""
        target = party.target
        everybody = len(target.accounts.members) if operation.peopled else 0
        place = Place(operation.name, target.name, everybody)
        yield place
        if self._direct and target.services and not operation.crosses:
            yield replace(place, direct=True)
        if self._few and party is self._parties[-1] and everybody > _FEW:
            yield replace(place, people=_FEW)

    async def _measure(self, operation: Operation, party: RelyingParty, place: Place) -> None:
        row = self.rows.setdefault(place, Row(place))
        if row.not_served:
            return
        drive = Drive(self._seconds * operation.longer, min(self._connections, operation.at_most))
        compiles = party.target.compiles
        try:
            if operation.peopled:
                # Longer than the measurement, because unknown people take longer: all of whom it asks are known then.
                wide = drive._replace(seconds=drive.seconds * _LONGER)
                once = await self._drive_once(operation, party, place, wide, once=True)
                row.first = row.first or once
            if not row.samples and (compiles or not operation.peopled):
                warm_up = drive._replace(seconds=_COMPILE_SECONDS if compiles else _WARM_UP_SECONDS)
                await self._drive_once(operation, party, place, warm_up)
            sample = await self._drive_once(operation, party, place, drive)
        except NotServed as reason:
            row.not_served = str(reason)
            say(f"  {place.target}: {place}: not served: {reason}")
            return
        row.samples.append(sample)
        cpu, load = sum(sample.cpu_us.values()), sample.load
        say(f"  {place.target:>9} {place!s:<40} {load.per_second:8,.0f} /s {cpu:10,.0f} µs CPU {load.problem()}")

    async def _drive_once(
        self, operation: Operation, party: RelyingParty, place: Place, drive: Drive, **more: PlanValue
    ) -> Sample:
        if operation.renewed or place not in self._prepared:
            self._prepared[place] = await operation.prepare(party, place.people)
        prepared, meter = self._prepared[place], self.meters[place.target]
        if isinstance(prepared, Prepared):
            address = party.target.address_of(str(prepared.plan["url"]), direct=place.direct)
            with planned(prepared, drive, self._folder, **more) as plan:
                work = wrk.run(address, prepared.script, plan, drive, chained=operation.chained)
                load, spent = await meter.spent(work)
        else:
            load, spent = await meter.spent(prepared(drive))
        return Sample(load, {name: used * 1e6 / max(load.worth, 1) for name, used in spent.items()})


def _microseconds(seconds: float) -> int:
    return round(seconds * 1e6)


@contextmanager
def planned(prepared: Prepared, drive: Drive, folder: Path, **more: PlanValue) -> Iterator[Path]:
    """The plan as a file. Values that the run changed are taken back at the end."""
    state = folder / "state"
    if prepared.proofs:
        more["proofs"] = str(write_private(folder / "proofs", prepared.proofs))
    plan = {**prepared.plan, "threads": drive.connections, "state": str(state), **more}
    yield write_plan(folder / "plan.lua", plan)
    take_back(state, prepared.members, prepared.attribute)


def take_back(state: Path, members: Sequence[Member], attribute: str) -> None:
    """Reads what a script wrote at its end and removes it: the number of a member from 1 on and its value now."""
    if state.exists():
        for line in state.read_text(encoding="ascii").splitlines():
            number, _, value = line.partition(" ")
            setattr(members[int(number) - 1], attribute, value)
        state.unlink()
