"""One run from start to end: targets up, processes on their cores, rounds, findings, everything down again."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from argparse import ArgumentTypeError, Namespace
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
from portico_contracts.catalogue import SERVICES
from portico_stack.processes import mebibytes

from bench import limit_target
from bench.foreign_target import foreign_target
from bench.limit_target import Limit, limit_running
from bench.lines import say
from bench.measuring import Case, Measuring
from bench.operation import Operation
from bench.operations import OPERATIONS
from bench.preparing import PreparationFailed, discover
from bench.processes import cpu_seconds, family_of, pin
from bench.rates import Rates
from bench.ratios import Recorded, slower_rows
from bench.report import Findings
from bench.stack_cast import SETTINGS
from bench.stack_target import StackWish, stack_running
from bench.target import Target
from bench.wrk import Drive

_HTTP_SECONDS: Final = 30
_FEW: Final = 100
"""People, beside the whole population."""
_SECOND_LOOKS: Final = 2
_IDLE_SECONDS: Final = 5
_IDLE_SHARE: Final = 0.15
"""Of a core, all components together."""
_IDLE_ATTEMPTS: Final = 60
_GRANTS: Final = next(one for one in OPERATIONS if one.name == "client_credentials opaque")
"""Every request stores a grant."""


@dataclass(frozen=True, slots=True)
class Cores:
    """Who works where: one core for everything that is measured, stores and gateway too, the others for the load."""

    measured: set[int]
    others: set[int]

    @classmethod
    def of_this_machine(cls) -> Cores:
        """The first core for what is measured; on a machine with one core everything shares it."""
        every = sorted(os.sched_getaffinity(0))
        return cls({every[0]}, set(every[1:]) or {every[0]})


def wanted_operations(only: str) -> list[Operation]:
    """The operations whose names contain one of some words, separated by commas; all without words.

    Raises:
        ArgumentTypeError: when a word is in no name.
    """
    words = [word.strip().lower() for word in only.split(",") if word.strip()]
    for word in words:
        if not any(word in operation.name.lower() for operation in OPERATIONS):
            raise ArgumentTypeError(f"no operation is called {word}; --list names them")
    return [one for one in OPERATIONS if not words or any(word in one.name.lower() for word in words)]


async def measure(words: Namespace, recorded: Recorded | None = None) -> Findings:
    """Does everything the command line requests.

    Args:
        recorded: operations that cost more than this are measured again.

    Raises:
        PreparationFailed, LoadFailed, ProcessGone, StartFailed: with a sentence.
    """
    if words.data:
        words.data.mkdir(parents=True, exist_ok=True)
    data = Path(tempfile.mkdtemp(prefix="portico-bench-", dir=words.data))
    try:
        async with AsyncExitStack() as opened:
            subject = await _subject(words, data, opened)
            limit = None
            if not words.no_limit:
                limit = await opened.enter_async_context(limit_running(data / "limit", words.connections))
            http = await opened.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=_HTTP_SECONDS))
            run = _Run(words, limit, subject, data)
            return await run.measure(http, recorded)
    finally:
        await asyncio.to_thread(shutil.rmtree, data, ignore_errors=True)


async def _subject(words: Namespace, data: Path, opened: AsyncExitStack) -> Target:
    if words.issuer:
        return foreign_target(words)
    wish = StackWish(words.population, words.people, words.fresh, words.stored, words.replicas)
    return await opened.enter_async_context(stack_running(wish, data / "stack", say))


@dataclass(frozen=True, slots=True)
class _Run:
    words: Namespace
    limit: Limit | None
    subject: Target
    plans: Path

    async def measure(self, http: httpx.AsyncClient, recorded: Recorded | None) -> Findings:
        cores = Cores.of_this_machine()
        memory = memory_of(self.subject)
        rates: list[Rates] = []
        measuring = Measuring(await self._cases(http), self._drive(), self.plans, say)
        _move([case.ground.target for case in measuring.cases], cores)
        for number in range(1, self.words.rounds + 1):
            say(f"round {number} of {self.words.rounds}")
            if self.limit:
                rates.append(await self.limit.rates(cores.measured))
            await measuring.round(self.words.only)

        def findings() -> Findings:
            return Findings(
                rows=measuring.rows(),
                subject=self.subject.name,
                limit=limit_target.NAME if self.limit else "",
                rates=rates,
                conditions=_conditions(self.words, cores),
                memory_mib=memory,
                memory_after_mib=memory_of(self.subject),
                at_rest=measuring.at_rest.get(self.subject.name, {}),
            )

        for _ in range(_SECOND_LOOKS):
            slower = {row.operation for row in slower_rows(recorded, findings().ratios())} if recorded else set()
            if slower:
                say(f"once more, because it costs more than recorded: {', '.join(sorted(slower))}")
                await measuring.round([operation for operation in OPERATIONS if operation.name in slower])
        if self.words.stored:
            await self._measure_full(measuring)
        return findings()

    async def _measure_full(self, measuring: Measuring) -> None:
        """Measures once more with much stored."""
        subject = measuring.cases[-1]
        store = self.subject.store_users
        if store is None:
            raise PreparationFailed(f"nothing can be stored at {self.subject.name}")
        say(f"storing {self.words.stored:,} users and as many grants")
        await store(self.words.stored)
        await measuring.repeat(_GRANTS, self.words.stored)
        await _until_idle(self.subject)
        measuring.cases = [Case(subject.ground, subject.counts[:1], stored=self.words.stored)]
        for number in range(1, self.words.rounds + 1):
            say(f"round {number} of {self.words.rounds}, with them")
            await measuring.round(self.words.only)

    async def _cases(self, http: httpx.AsyncClient) -> list[Case]:
        connections = self.words.connections
        subject = await discover(self.subject, http, connections)
        people = len(self.subject.cast.members)
        counts = sorted({people, min(_FEW, people)}, reverse=True) if people else [connections]
        cases = [Case(subject, counts, direct=self.words.direct and bool(self.subject.services))]
        if self.limit:
            cases.insert(0, Case(await discover(self.limit.target, http, connections), [connections]))
        return cases

    def _drive(self) -> Drive:
        return Drive(self.words.seconds, self.words.connections)


async def _until_idle(target: Target) -> None:
    """Waits until the components have done what they put off, or for some minutes."""
    for _ in range(_IDLE_ATTEMPTS):
        before = sum(cpu_seconds(target.pids).values())
        await asyncio.sleep(_IDLE_SECONDS)
        if sum(cpu_seconds(target.pids).values()) - before < _IDLE_SHARE * _IDLE_SECONDS:
            return
    say("  the components are still busy with what was stored")


def memory_of(target: Target) -> dict[str, float]:
    """Proportional set size by component, in MiB."""
    return {
        name: mebibytes(member for pid in several for member in family_of(pid)) for name, several in target.pids.items()
    }


def _move(targets: list[Target], cores: Cores) -> None:
    """Every component to one core; this process and wrk, which it will start, to the others.

    Processes that another program started stay where they are.
    """
    ours = set(family_of(os.getpid()))
    measured = {
        member for target in targets for several in target.pids.values() for pid in several for member in family_of(pid)
    }
    pin(ours - measured, cores.others)
    pin(measured & ours, cores.measured)


def _conditions(words: Namespace, cores: Cores) -> dict[str, Any]:
    return {
        "seconds": words.seconds,
        "rounds": words.rounds,
        "connections": words.connections,
        "people": words.people,
        "replicas": {service: words.replicas.of(service) for service in SERVICES},
        "measured_cores": sorted(cores.measured),
        "other_cores": sorted(cores.others),
        "settings": {} if words.issuer else SETTINGS,
    }
