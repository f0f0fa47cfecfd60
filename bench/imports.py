"""What importing people costs: ``python -m bench.imports --help``.

`portico user import` of a file of rows with hashes, and `portico apply` of a document with such users: rows a second, and
the processor time a person of the command and of every component until the last event was consumed. With a commit, the
same by its command in its stack, in rounds that alternate.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from bench.multiplying import FIRST, LAST
from bench.processes import Meter
from bench.relying_party import human
from bench.stack_target import usual_hash
from bench.table import aligned
from bench.target import BenchFailed, say
from bench.trees import Ran, Tree, check_out, run_command, this_tree, tree_running

COST: Final = 0.4
"""At most so much of the processor time of the other commit."""

SPEED: Final = 3.0
"""At least so many times its rows a second."""

MEMORY_MIB: Final = 300
"""Of the command."""

_ORG: Final = "bench"
_OF_A_DOCUMENT: Final = 2_000
"""Users of the largest document that commits before 61a723e19 apply."""

_LOOK_SECONDS: Final = 2.0
_AT_REST: Final = 0.02
"""The share of a core that the bus uses in addition while there is nothing to deliver."""

Write = Callable[[Path, int, str], None]
"""Writes a file of so many people whose ids begin with a text."""


@dataclass(frozen=True, slots=True)
class Run:
    """One command: seconds, CPU seconds by component, and the memory of the command (MiB)."""

    people: int
    seconds: float
    cpu: Mapping[str, float]
    memory: float

    @property
    def micros(self) -> dict[str, float]:
        """Processor time a person by component."""
        return {name: 1e6 * used / self.people for name, used in self.cpu.items()}


@dataclass(frozen=True, slots=True)
class Side:
    """A tree with its running stack."""

    tree: Tree
    data: Path
    meter: Meter
    runs: dict[str, list[Run]] = field(default_factory=dict)

    async def run(self, name: str, people: int, *words: str) -> None:
        """Runs a command of the tree, and waits until its events are consumed."""
        (seconds, cpu, memory), spent = await self.meter.spent(self._command(*words))
        run = Run(people, seconds, {"command": cpu, **spent}, memory)
        self.runs.setdefault(name, []).append(run)
        parts = ", ".join(f"{part} {used:,.0f}" for part, used in run.micros.items())
        say(
            f"  {name}, {self.tree.name}: {people / seconds:,.0f} a second, {sum(run.micros.values()):,.0f} µs ({parts})"
        )

    async def _command(self, *words: str) -> Ran:
        log = self.data.with_suffix(".log")
        ran = await asyncio.to_thread(run_command, self.tree, (*words, "--data", str(self.data)), log)
        await self._consumed()
        return ran

    async def _consumed(self) -> None:
        used = 1.0
        while used > _AT_REST:
            _, spent = await self.meter.spent(asyncio.sleep(_LOOK_SECONDS))
            used = spent["nats"] / _LOOK_SECONDS


def _people(people: int, prefix: str) -> Iterator[str]:
    """JSON of people as rows have them."""
    names, hash = random.Random(prefix), usual_hash("bench")  # noqa: S311 - names
    for number in range(people):
        profile = {"firstName": names.choice(FIRST), "lastName": f"{names.choice(LAST)} {number}"}
        yield human(f"{prefix}-{number:07}", hashedPassword={"hash": hash}, profile=profile)


def write_rows(path: Path, people: int, prefix: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{one}\n" for one in _people(people, prefix))


def write_document(path: Path, people: int, prefix: str) -> None:
    """JSON, which is YAML."""
    humans = []
    for one in map(json.loads, _people(people, prefix)):
        humans.append({"id": one.pop("userId"), **one})
    path.write_text(json.dumps({"organizations": [{"id": _ORG, "name": "Bench", "humans": humans}]}), "utf-8")


async def _measure(trees: Sequence[Tree], options: argparse.Namespace) -> list[Side]:
    kinds: dict[str, tuple[Write, int, tuple[str, ...]]] = {
        "user import": (write_rows, options.people, ("user", "import", "--organization", _ORG)),
        "apply": (write_document, options.documents, ("apply",)),
    }
    async with AsyncExitStack() as opened:
        data = Path(opened.enter_context(TemporaryDirectory(prefix="portico-imports-", ignore_cleanup_errors=True)))
        sides = []
        for tree in trees:
            target = await opened.enter_async_context(tree_running(tree, 1, data / tree.name))
            sides.append(Side(tree, data / tree.name, Meter(target.pids)))
        for number in range(options.rounds):
            say(f"round {number + 1} of {options.rounds}")
            for name, (write, people, words) in kinds.items():
                if not people:
                    continue
                file = data / "people"
                await asyncio.to_thread(write, file, people, f"p{number}{name[0]}")
                for side in sides:
                    await side.meter.rest()
                    await side.run(name, people, *words, str(file))
        for side in sides:
            memory = ", ".join(f"{name} {used:,.0f}" for name, used in side.meter.memory_mib().items())
            say(f"{side.tree.name}: MiB after all: {memory}")
    return sides


def _table(sides: Sequence[Side]) -> str:
    head = ["operation", "tree", "rows/s", "µs a person", *sides[0].meter.at_rest, "command", "command MiB"]
    rows = []
    for name in sides[0].runs:
        for side in sides:
            runs = side.runs[name]
            parts = {part: median(run.micros[part] for run in runs) for part in runs[0].cpu}
            command = parts.pop("command")
            cells = [_rate(runs), sum(parts.values()) + command, *parts.values(), command]
            memory = max(run.memory for run in runs)
            rows.append([name, side.tree.name, *(f"{cell:,.0f}" for cell in (*cells, memory))])
    return "\n".join(aligned(head, rows))


def _rate(runs: Sequence[Run]) -> float:
    return median(run.people / run.seconds for run in runs)


def _cost(runs: Sequence[Run]) -> float:
    return median(sum(run.micros.values()) for run in runs)


def reached(sides: Sequence[Side]) -> bool:
    *others, now = sides
    reached = all(run.memory <= MEMORY_MIB for runs in now.runs.values() for run in runs)
    for before in others:
        for name, runs in now.runs.items():
            cost, speed = _cost(runs) / _cost(before.runs[name]), _rate(runs) / _rate(before.runs[name])
            say(f"{name}: {cost:.2f} times the processor time (at most {COST}), {speed:.1f} times the rows a second")
            reached &= cost <= COST and speed >= SPEED
    return reached


def main() -> int:
    """The status is 1 when an import costs more than it should, 2 when nothing was measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.imports", description="Measure imports of people.")
    parser.add_argument("--people", type=int, default=20_000, help="of a file (default %(default)s; 0: no import)")
    parser.add_argument("--documents", type=int, default=_OF_A_DOCUMENT, help="users of a document (%(default)s)")
    parser.add_argument("--rounds", type=int, default=2, help="default %(default)s")
    parser.add_argument("--against", metavar="COMMIT", help="also this commit, in alternating rounds")
    options = parser.parse_args()
    try:
        trees = [*([check_out(options.against)] if options.against else []), this_tree()]
        sides = asyncio.run(_measure(trees, options))
    except (BenchFailed, OSError) as problem:
        sys.stderr.write(f"bench: {problem}\n")
        return 2
    say(f"\n{_table(sides)}\n")
    return 0 if reached(sides) else 1


if __name__ == "__main__":
    sys.exit(main())
