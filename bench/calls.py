"""Python calls per request, by operation and service: ``python -m bench.calls --help``.

The count hardly depends on the machine or its load: one connection sends a fixed number of requests to services that
count their calls. Calls of background work are counted at rest and subtracted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import httpx
import msgspec
from portico_contracts.catalogue import SERVICES

from bench import wrk
from bench.measuring import planned
from bench.operations import OPERATIONS, Operation, Prepared, named
from bench.relying_party import NotServed, RelyingParty, discover
from bench.table import aligned
from bench.target import BenchFailed, say
from bench.trees import Tree, check_out, short, this_tree, tree_running
from bench.wrk import Drive, Load

ALLOWED: Final = 1.10
PEOPLE: Final = 100
_RUNS: Final = 3
_TIMES: Final = 100
_SLOW_TIMES: Final = 20
_LONGEST: Final = 60
_LEAST: Final = 0.05  # calls of a function per operation; fewer are background work
_REST_SECONDS: Final = 5.0
_READ_SECONDS: Final = 10.0

Counts = dict[str, Counter[str]]
"""By service and function."""


@dataclass(slots=True)
class Counted:
    """Calls per operation in one tree; empty where the operation is not served."""

    by_function: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def by_service(self) -> dict[str, float]:
        return {service: sum(functions.values()) for service, functions in self.by_function.items()}

    @property
    def total(self) -> float:
        return sum(self.by_service.values())


class Counting:
    """Counts the calls of one tree's services."""

    def __init__(self, party: RelyingParty, folder: Path, root: Path) -> None:
        self._party = party
        self._folder = folder
        self._root = root
        self._rest: Mapping[str, Mapping[str, float]] = {}

    async def rest(self) -> None:
        before = await self._read()
        await asyncio.sleep(_REST_SECONDS)
        self._rest = _per(_REST_SECONDS, await self._read(), before, {}, 0)

    async def count(self, operation: Operation) -> Counted:
        """The least of some runs, after one that warms up: what is above it is background work, which comes in bursts."""
        found: list[dict[str, dict[str, float]]] = []
        try:
            await self._run(operation)
            for _ in range(_RUNS):
                before, began = await self._read(), time.perf_counter()
                load = await self._run(operation)
                seconds, after = time.perf_counter() - began, await self._read()
                if problem := load.problem():
                    raise BenchFailed(f"{operation.name} on {self._party.target.name}: {problem}")
                found.append(_per(load.worth, after, before, self._rest, seconds))
        except NotServed:
            return Counted()
        return Counted({service: _least([one[service] for one in found]) for service in found[0]})

    async def _run(self, operation: Operation) -> Load:
        prepared = await operation.prepare(self._party, PEOPLE)
        drive = Drive(_LONGEST, 1)
        if not isinstance(prepared, Prepared):
            return await prepared(drive._replace(seconds=1))
        times = _SLOW_TIMES if operation.at_most < _TIMES else _TIMES
        with planned(prepared, drive, self._folder, times=times) as plan:
            address = self._party.target.address_of(str(prepared.plan["url"]))
            return await wrk.run(address, prepared.script, plan, drive, chained=operation.chained)

    async def _read(self) -> Counts:
        """Has the services write what they have counted so far."""
        pids = {service: self._party.target.pids.get(service, ()) for service in SERVICES}
        files = {pid: self._folder / f"{pid}.json" for several in pids.values() for pid in several}
        for pid, file in files.items():
            file.unlink(missing_ok=True)
            os.kill(pid, signal.SIGUSR2)
        async with asyncio.timeout(_READ_SECONDS):
            while not all(file.exists() for file in files.values()):  # noqa: ASYNC110 - other processes write them
                await asyncio.sleep(0.02)
        found: Counts = {}
        for service, several in pids.items():
            found[service] = Counter()
            for pid in several:
                for name, count in msgspec.json.decode(files[pid].read_bytes(), type=dict[str, int]).items():
                    found[service][short(name, self._root)] += count
        return found


def _least(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = {name for one in runs for name in one}
    least = {name: min(one.get(name, 0.0) for one in runs) for name in names}
    return {name: count for name, count in least.items() if count >= _LEAST}


def _per(
    operations: float, after: Counts, before: Counts, rest: Mapping[str, Mapping[str, float]], seconds: float
) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for service, counts in after.items():
        idle = rest.get(service, {})
        each = {
            name: (count - before[service][name] - idle.get(name, 0.0) * seconds) / operations
            for name, count in counts.items()
        }
        found[service] = each
    return found


async def count_calls(
    trees: Sequence[Tree], operations: Sequence[Operation], people: int = PEOPLE
) -> dict[str, dict[str, Counted]]:
    """By operation and name of the tree, for the first `PEOPLE` of a population of so many."""
    async with AsyncExitStack() as opened:
        folder = Path(opened.enter_context(TemporaryDirectory(prefix="portico-calls-", ignore_cleanup_errors=True)))
        http = await opened.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=30))
        counting = {}
        for tree in trees:
            calls = folder / tree.name
            calls.mkdir()
            running = tree_running(tree, max(people, PEOPLE), folder / f"{tree.name}-data", calls)
            target = await opened.enter_async_context(running)
            counting[tree.name] = Counting(await discover(target, http), calls, tree.root)
        for one in counting.values():
            await one.rest()
        found: dict[str, dict[str, Counted]] = {}
        for operation in operations:
            found[operation.name] = {name: await one.count(operation) for name, one in counting.items()}
            said = ", ".join(f"{counted.total:,.0f} {name}" for name, counted in found[operation.name].items())
            say(f"  {operation.name:<26} {said}")
        return found


def calls_table(found: Mapping[str, Mapping[str, Counted]]) -> str:
    """In Markdown: calls per operation, in all and by service; two numbers where two trees were counted."""
    rows = {name: [*some.values()] for name, some in found.items() if all(one.total for one in some.values())}
    services = [
        name for name in SERVICES if any(one.by_service.get(name, 0) >= 1 for some in rows.values() for one in some)
    ]
    cells = [
        [
            name,
            _change([one.total for one in counted]),
            *(_change([one.by_service.get(service, 0) for one in counted]) for service in services),
        ]
        for name, counted in rows.items()
    ]
    return "\n".join(aligned(["operation", "calls", *services], cells))


def more_calls(found: Mapping[str, Mapping[str, Counted]]) -> list[str]:
    """The operations that take over a tenth more calls now than before, each as a sentence."""
    problems = []
    for name, counted in found.items():
        before, now = counted["before"].total, counted["now"].total
        if before and now > before * ALLOWED:
            problems.append(f"{name}: {now:,.0f} Python calls, before {before:,.0f} ({now / before - 1:+.0%})")
    return problems


def _change(numbers: Sequence[float]) -> str:
    return " → ".join(f"{number:,.0f}" for number in numbers)


def _functions(counted: Mapping[str, Counted], most: int) -> str:
    """The functions that are called most, or whose counts differ most between two trees."""
    names = {(s, f) for one in counted.values() for s, functions in one.by_function.items() for f in functions}
    numbers = {at: [one.by_function.get(at[0], {}).get(at[1], 0.0) for one in counted.values()] for at in names}
    ordered = sorted(numbers, key=lambda at: -abs(numbers[at][-1] - (numbers[at][0] if len(counted) > 1 else 0)))
    lines = (f"  {' → '.join(f'{n:6.1f}' for n in numbers[at])}  {at[0]:<9} {at[1]}" for at in ordered[:most])
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.calls", description="Count Python calls per request.")
    names = ", ".join(operation.name for operation in OPERATIONS)
    parser.add_argument("--only", default=list(OPERATIONS), type=named, metavar="WORDS", help=f"out of: {names}")
    parser.add_argument("--against", metavar="COMMIT", help="count at this commit too, and compare")
    parser.add_argument("--functions", type=int, default=0, help="list so many functions: most calls, or most changed")
    options = parser.parse_args()
    try:
        trees = [*([check_out(options.against)] if options.against else []), this_tree()]
        found = asyncio.run(count_calls(trees, options.only))
    except BenchFailed as problem:
        sys.stderr.write(f"bench: {problem}\n")
        return 2
    say(f"\n{calls_table(found)}")
    for name, counted in found.items() if options.functions else ():
        say(f"\n{name}\n{_functions(counted, options.functions)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
