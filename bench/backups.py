"""What backups and restores of many people cost, also those of another commit: ``python -m bench.million backup``."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

import pyrage
from portico_stack.assembly.stored_mongo import stored_mongo
from portico_stack.installation.installation import PortBook, find_installation, load_or_create
from portico_stack.processes.programs import mebibytes
from pymongo import MongoClient

from bench.processes import Meter
from bench.table import aligned
from bench.target import say
from bench.trees import Tree, run_command

COST: Final = 0.5
"""At most so much of the time of the other commit."""

_URL: Final = "PORTICO_STACK_MONGO_URL"


@dataclass(frozen=True, slots=True)
class Run:
    """One command: microseconds a person, and MiB."""

    seconds: float
    command: float
    mongo: float
    memory: float


@dataclass(frozen=True, slots=True)
class Store:
    """A MongoDB that only these commands use."""

    url: str
    pid: int

    @classmethod
    def at(cls, url: str) -> Store:
        with MongoClient[dict[str, Any]](url) as client:
            return cls(url, int(client.admin.command("serverStatus")["pid"]))


@dataclass(frozen=True, slots=True)
class Files:
    """`options` of commands that read backups name the private key and the master keys."""

    folder: Path
    recipient: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    tree: Tree
    people: int
    files: Files
    runs: dict[str, list[Run]] = field(default_factory=dict)

    async def round(self, full: Store, empty: Store) -> None:
        file = self.files.folder / f"{self.tree.name}.backup"
        file.unlink(missing_ok=True)
        _, _, master, keys, *_ = self.files.options
        to = ("--recipient", self.files.recipient, master, keys)
        await self._run("make", full, "backup", "make", str(file), *to)
        await self._run("check", full, "backup", "check", str(file), *self.files.options[:4])
        await self._run("restore", empty, "restore", str(file), "--replace", *self.files.options)
        say(f"  {self.tree.name}: {file.stat().st_size / self.people:,.0f} bytes a person")

    async def _run(self, name: str, store: Store, *words: str) -> None:
        meter = Meter({"mongo": [store.pid]})
        await meter.rest()
        log = self.files.folder / f"{self.tree.name}.log"
        ran, spent = await meter.spent(asyncio.to_thread(run_command, self.tree, words, log, {_URL: store.url}))
        seconds, command, mongo = (1e6 * used / self.people for used in (ran.seconds, ran.cpu, spent["mongo"]))
        run = Run(seconds, command, mongo, ran.memory)
        self.runs.setdefault(name, []).append(run)
        say(
            f"  {name}, {self.tree.name}: {ran.seconds:,.1f} s, {run.memory:,.0f} MiB; MongoDB {mebibytes([store.pid]):,.0f}"
        )


async def compare(stack: Path, people: int, trees: Sequence[Tree], rounds: int) -> bool:
    """Backs up a copy of a stack, and restores it into an empty one; reports whether the last tree reaches `COST`."""
    async with AsyncExitStack() as opened:
        data = Path(opened.enter_context(TemporaryDirectory(prefix="portico-backups-", ignore_cleanup_errors=True)))
        await asyncio.to_thread(shutil.copytree, stack, data / "full")
        installation = load_or_create(data / "empty")
        PortBook(installation).port("mongo")
        installation.save(data / "empty")
        full, empty = [
            Store.at(await opened.enter_async_context(stored_mongo(data / name, services_stopped=True)))
            for name in ("full", "empty")
        ]
        files = _files(data)
        sides = [Side(tree, people, files) for tree in trees]
        for number in range(rounds):
            say(f"round {number + 1} of {rounds}")
            for side in sides:
                await side.round(full, empty)
    say(f"\n{_table(sides)}\n")
    return _reached(sides)


def _files(data: Path) -> Files:
    identity, installation = pyrage.x25519.Identity.generate(), find_installation(data / "full")
    assert installation is not None  # noqa: S101 - narrows the type
    texts = {"key": f"{identity}\n", **{name: installation.master_keys_of(name) for name in ("keys", "users")}}
    for name, text in texts.items():
        (data / name).write_text(text)
    named = {"--key": "key", "--master-keys": "keys", "--users-master-keys": "users"}
    options = tuple(one for option, name in named.items() for one in (option, str(data / name)))
    return Files(data, str(identity.to_public()), options)


def _table(sides: Sequence[Side]) -> str:
    head = ["operation", "tree", "µs a person", "command µs", "MongoDB µs", "command MiB"]
    rows = []
    for name in sides[0].runs:
        for side in sides:
            runs = side.runs[name]
            cells = [median(values) for values in zip(*((r.seconds, r.command, r.mongo) for r in runs), strict=True)]
            rows.append([name, side.tree.name, *(f"{one:,.0f}" for one in (*cells, max(r.memory for r in runs)))])
    return "\n".join(aligned(head, rows))


def _reached(sides: Sequence[Side]) -> bool:
    *others, now = sides
    reached = True
    for before in others:
        for name in ("make", "restore"):
            times = [median(run.seconds for run in side.runs[name]) for side in (before, now)]
            work = [median(run.command + run.mongo for run in side.runs[name]) for side in (before, now)]
            say(f"{name}: {times[1] / times[0]:.2f} times the time (at most {COST}), {work[1] / work[0]:.2f} the work")
            reached &= times[1] <= COST * times[0]
    return reached
